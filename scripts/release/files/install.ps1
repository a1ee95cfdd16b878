# Installs svc from the folder of this file: no network, no administrator. Checks first.
#   powershell -ExecutionPolicy Bypass -File install.ps1 [-Prefix FOLDER] [-Remove]
param(
  [string] $Prefix = (Join-Path $env:LOCALAPPDATA 'Programs\svc'),
  [switch] $Remove
)
Set-StrictMode -Version 3
$ErrorActionPreference = 'Stop'

$version = '@VERSION@'
$digests = @'
@DIGESTS@
'@
$target = 'windows-x64'
$bin = Join-Path $Prefix 'bin'
$executable = Join-Path $bin 'svc.exe'
$previous = "$executable.previous"

function Set-UserPath([string[]] $entries) {
  [Environment]::SetEnvironmentVariable('Path', ($entries -join ';'), 'User')
}

function Get-UserPath {
  @(([Environment]::GetEnvironmentVariable('Path', 'User') -split ';') | Where-Object { $_ })
}

if ($Remove) {
  if (-not (Test-Path -LiteralPath $Prefix)) { throw "svc is not installed in $Prefix" }
  foreach ($path in $executable, $previous, (Join-Path $Prefix 'share')) {
    if (Test-Path -LiteralPath $path) { Remove-Item -LiteralPath $path -Recurse -Force }
  }
  Set-UserPath (Get-UserPath | Where-Object { $_ -ne $bin })
  Write-Output "svc: removed from $Prefix; sign-ins, profiles and data are kept"
  exit 0
}

# The smaller archive where the tar of this Windows reads it (Windows 11 since 2023).
$name = "svc-$version-$target.tar.zst"
$readsZstd = (Get-Command tar -ErrorAction SilentlyContinue) -and ((& tar --version) -match 'libzstd')
if (-not $readsZstd -or -not (Test-Path -LiteralPath (Join-Path $PSScriptRoot $name))) {
  $name = "svc-$version-$target.zip"
}
$archive = Join-Path $PSScriptRoot $name
$line = $digests -split "`r?`n" | Where-Object { $_ -match "^[0-9a-f]{64}  $([regex]::Escape($name))$" }
if (-not $line) { throw "this file has no digest for $name" }
$wanted = $line.Substring(0, 64)

$work = Join-Path ([IO.Path]::GetTempPath()) ("svc-install-" + [guid]::NewGuid())
New-Item -ItemType Directory -Path $work | Out-Null
try {
  # The copy is checked and unpacked, so that nothing can change in between.
  $copy = Join-Path $work $name
  Copy-Item -LiteralPath $archive -Destination $copy
  $actual = (Get-FileHash -Algorithm SHA256 -LiteralPath $copy).Hash.ToLowerInvariant()
  if ($actual -ne $wanted) { throw "$name is damaged or not of this release" }
  $listed = Get-Content -LiteralPath (Join-Path $PSScriptRoot 'SHA256SUMS')
  if ($listed -notcontains "$wanted  $name") { throw "SHA256SUMS has another digest for $name" }

  $unpacked = Join-Path $work 'unpacked'
  if ($name -like '*.zip') {
    Expand-Archive -LiteralPath $copy -DestinationPath $unpacked
  } else {
    New-Item -ItemType Directory -Path $unpacked | Out-Null
    & tar -xf $copy -C $unpacked
    if ($LASTEXITCODE -ne 0) { throw "$name could not be unpacked" }
  }
  $source = Join-Path $unpacked "svc-$version-$target"
  New-Item -ItemType Directory -Force -Path $bin | Out-Null
  $staged = Join-Path $bin (".svc-install-$PID.exe")
  Copy-Item -LiteralPath (Join-Path $source 'bin\svc.exe') -Destination $staged
  $answer = & $staged --version
  if ($LASTEXITCODE -ne 0 -or $answer -ne $version) {
    Remove-Item -LiteralPath $staged -Force
    throw "svc $version for $target does not run on this machine"
  }
  if (Test-Path -LiteralPath $executable) {
    # A running program can be renamed, not replaced.
    if (Test-Path -LiteralPath $previous) { Remove-Item -LiteralPath $previous -Force }
    Move-Item -LiteralPath $executable -Destination $previous
  }
  Move-Item -LiteralPath $staged -Destination $executable
  $share = Join-Path $source 'share'
  if (Test-Path -LiteralPath $share) { Copy-Item -LiteralPath $share -Destination $Prefix -Recurse -Force }
  if ((Get-UserPath) -notcontains $bin) { Set-UserPath ((Get-UserPath) + $bin) }
  Write-Output "svc: svc $version is in $executable; new terminals find it"
} finally {
  Remove-Item -LiteralPath $work -Recurse -Force
}
