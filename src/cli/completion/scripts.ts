/** Shells whose completion asks the program itself, so that it knows each workspace and type. */
export const shells = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = (typeof shells)[number];

/** The word that asks for the candidates; it is not a command. */
const completeWord = "__complete";

/** The name under which a shell finds its script in a package's folder of completions. */
export const scriptNames: Readonly<Record<Shell, string>> = {
  bash: "svc.bash",
  zsh: "_svc",
  fish: "svc.fish",
  powershell: "svc.ps1",
};

/**
 * Each script calls `svc __complete <shell> =<current word> <earlier words…>`. The first line of
 * the answer is `words`, `files` or `folders`; each other line is a word, a tab and a description.
 * The `=` keeps an empty word from being dropped.
 */
const scripts: Readonly<Record<Shell, string>> = {
  bash: String.raw`# bash completion of svc
_svc_complete() {
  local program=${"$"}{COMP_WORDS[0]/#\~\//$HOME/}
  local current=${"$"}{COMP_WORDS[COMP_CWORD]}
  local kind="" word rest
  COMPREPLY=()
  {
    IFS= read -r kind
    while IFS=$'\t' read -r word rest; do
      COMPREPLY+=("$word")
    done
  } < <("$program" ${completeWord} bash "=$current" "${"$"}{COMP_WORDS[@]:1:COMP_CWORD-1}" 2>/dev/null </dev/null)
  case $kind in
    files | folders)
      [ "$current" = "=" ] && current=""
      compopt -o filenames 2>/dev/null
      local IFS=$'\n'
      if [ "$kind" = files ]; then
        COMPREPLY+=($(compgen -f -- "$current"))
      else
        COMPREPLY+=($(compgen -d -- "$current"))
      fi
      ;;
  esac
}
complete -F _svc_complete svc
`,
  zsh: String.raw`#compdef svc
# zsh completion of svc
_svc() {
  local -a answer candidates
  local line
  answer=("${"$"}{(@f)$(${"$"}{words[1]} ${completeWord} zsh "=${"$"}{words[CURRENT]}" "${"$"}{(@)words[2,CURRENT-1]}" 2>/dev/null </dev/null)}")
  for line in "${"$"}{(@)answer[2,-1]}"; do
    candidates+=("${"$"}{${"$"}{line%%$'\t'*}//:/\\:}:${"$"}{line#*$'\t'}")
  done
  (( ${"$"}#candidates )) && _describe 'svc' candidates
  case ${"$"}{answer[1]} in
    files) _files ;;
    folders) _files -/ ;;
  esac
}
if [ "$funcstack[1]" = "_svc" ]; then
  _svc "$@"
else
  compdef _svc svc
fi
`,
  fish: String.raw`# fish completion of svc
function __svc_complete
  set -l words (commandline -opc)
  set -l current (commandline -ct)
  set -l answer ($words[1] ${completeWord} fish "=$current" $words[2..-1] 2>/dev/null </dev/null)
  set -l kind $answer[1]
  if test (count $answer) -gt 1
    printf '%s\n' $answer[2..-1]
  end
  switch "$kind"
    case files
      __fish_complete_path "$current"
    case folders
      __fish_complete_directories "$current" ''
  end
end
complete -c svc -f -a '(__svc_complete)'
`,
  powershell: String.raw`# PowerShell completion of svc
Register-ArgumentCompleter -Native -CommandName 'svc' -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements |
    Where-Object { $_.Extent.EndOffset -lt $cursorPosition } |
    ForEach-Object { $_.ToString() })
  $program = $commandAst.CommandElements[0].ToString()
  $earlier = @($words | Select-Object -Skip 1)
  $answer = @(& $program '${completeWord}' 'powershell' "=$wordToComplete" @earlier 2>$null)
  $answer | Select-Object -Skip 1 | ForEach-Object {
    $word, $description = $_ -split "${"`"}t", 2
    if (-not $description) { $description = $word }
    [System.Management.Automation.CompletionResult]::new($word, $word, 'ParameterValue', $description)
  }
}
`,
};

/** The completion script of a shell. */
export function completionScript(shell: Shell): string {
  return scripts[shell];
}
