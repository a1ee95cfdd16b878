interface SampleExample {
  readonly label: string;
  readonly text: string;
}

/** Typical words of council and business documents, with similar numbers of texts per label. */
const texts: Readonly<Record<string, readonly string[]>> = {
  "planning-application-form": [
    `Application for planning permission. Applicant name and address. Agent name and address.
      Site address. Description of proposal. Site area. Existing use. Proposed use. Ownership
      certificate. I declare that the particulars are true.`,
    `Householder application form. Please describe the proposed works. Materials. Pedestrian and
      vehicle access. Trees and hedges. Parking. Pre-application advice. Certificate of ownership.
      Declaration. Date. Fee enclosed.`,
    `Full planning application. Section 1 applicant details. Section 2 agent details. Section 3
      site address details. Section 4 proposal. Section 5 existing use of the site. Section 6
      declaration and signature of the applicant.`,
    `Listed building consent application form. Applicant, telephone, e-mail, site location,
      description of works, has the work started, drawings enclosed, application fee, signed and
      dated by the applicant.`,
    `Application to remove or vary a condition. Name of applicant. Site address and grid
      reference. Reference of the original permission. Condition number. Reason for the change.
      Declaration by the applicant or agent.`,
    `Outline planning application. Applicant. Agent. Residential units proposed. Floor space.
      Employment. Hours of opening. Foul sewage. Flood risk. Biodiversity. Site visit contact.
      Ownership certificate A. Declaration.`,
  ],
  "planning-statement": [
    `Planning statement in support of the application. The site and its surroundings. The
      proposal. Planning history. Planning policy. Design. Heritage. Access and parking. Trees,
      wildlife and drainage. Conclusion: the proposal accords with the local plan.`,
    `Design and access statement. Context and character of the conservation area. Scale, massing
      and appearance. Layout and landscaping. The development provides flats with parking spaces
      and cycle storage. Policies of the local plan.`,
    `Site plan statement. The plan shows the site boundary, access, parking layout, trees to be
      kept and the footprint of the building. Levels are in metres above datum. The site covers
      hectares on the north side of the road.`,
    `Supporting statement by the applicant's architects. The building would be converted to
      homes. The height of the ridge is unchanged. The heritage assessment finds less than
      substantial harm. The proposal meets the space standard.`,
    `Heritage and planning statement. Significance of the building, impact of the proposed
      dormers on the setting, justification, public benefit, and compliance with policies on
      design and housing. Permission should be granted.`,
    `Transport and planning statement. The proposal would generate vehicle movements. Parking is
      provided at one space for each flat. Visibility splays are achieved. The development is
      sustainable and accords with policy.`,
  ],
  "objection-letter": [
    `I object to the planning application next door. My reasons are loss of light, overlooking,
      loss of privacy and noise. I urge the council to refuse permission.`,
    `We wish to object in the strongest terms to this development. It would harm the character of
      our street and make traffic and parking worse for residents. Please refuse it.`,
    `Objection to the proposed flats. As neighbours we are worried about overdevelopment,
      overshadowing of our garden, the danger to children from more cars, and building noise.`,
    `I am writing to oppose the licence application. Noise from the bar late at night keeps us
      awake, and customers shout and smoke below our windows. I ask that it be refused.`,
    `My family and I strongly object. The extension is too high and too close, it blocks the sun
      from our kitchen, and the drawings do not show our house correctly.`,
    `This letter is a formal objection by the residents of the lane. The road is too narrow for
      lorries, the trees would be lost and the drains already flood.`,
  ],
  "decision-notice": [
    `Notice of decision. The council grants planning permission subject to the following
      conditions. The development must begin within three years. Reasons for the conditions. Your
      right to appeal.`,
    `Town and country planning. Refusal of planning permission. The council refuses permission
      for the reasons given below. You may appeal to the inspectorate within six months of the
      date of this notice.`,
    `Decision notice: permission granted with conditions. Condition 1 time limit. Condition 2
      approved drawings. Condition 3 materials. Reason for the decision. Informatives. Signed Head
      of Planning.`,
    `Listed building consent is granted subject to conditions. The works must be carried out in
      accordance with the approved drawings. Date of decision. Notes on appeals and purchase
      notices.`,
    `Notice of determination of a licence application. The sub-committee decided to grant the
      licence with conditions on hours. Reasons for the determination. Right of appeal to the
      magistrates' court within 21 days.`,
    `Approval of details reserved by condition. The details submitted under conditions 3 and 4
      are approved. Decision date. The decision relates to the drawings listed. Appeal rights are
      set out overleaf.`,
  ],
  "consultation-response": [
    `The highway authority has considered the application and raises no objection subject to
      conditions on visibility, parking and a construction traffic plan.`,
    `Consultation response from the environment agency. We have reviewed the flood risk
      assessment and have no objection. We recommend the following condition and informative.`,
    `Comments of the conservation officer. Consulted on the application, I support the repair of
      the front but recommend timber windows. Less than substantial harm.`,
    `Thank you for consulting the water company. We have no comments on surface water. There is
      capacity in the foul sewer. A condition is recommended.`,
    `Tree officer response: no objection subject to a tree protection plan and fencing during
      works. The oak is covered by a preservation order.`,
    `Consultee replies and stance: statutory consultee, internal consultee, resident, received,
      no objection, support, object, summary of comments on the application.`,
  ],
  "licence-application": [
    `Application for a premises licence to be granted under the licensing act. Applicant.
      Premises. Licensable activities: sale of alcohol, late night refreshment, live music. Hours.
      Designated premises supervisor. Plan enclosed. Fee.`,
    `Street trading consent application. Name of trader, pitch, goods to be sold, days and times
      of trading, vehicle or stall, public liability insurance, photograph, fee paid, signature.`,
    `Application for a taxi driver licence. Applicant's date of birth, driving licence number,
      medical certificate, criminal record check, knowledge test, badge, fee, declaration.`,
    `Temporary event notice. Name of the premises user, nature of the event, dates and times,
      sale of alcohol by retail, maximum number of people, signed by the premises user.`,
    `Application to vary a premises licence. Present hours, proposed hours, licensable
      activities, steps to promote the licensing objectives, designated supervisor, notice
      displayed, fee.`,
    `Application for a licence for animal boarding. Applicant, premises, number of dogs and cats,
      accommodation, insurance, veterinary surgeon, inspection, licence fee.`,
  ],
  "licence-register": [
    `Register of licences. Licence number, holder, premises, kind of licence, granted, expires,
      annual fee. Premises licence. Street trading. Club premises certificate.`,
    `Licence register: number, licensee, address, type, date granted, date of expiry, status,
      conditions. Private hire operator. Scrap metal site. Animal boarding.`,
    `Public register of premises licences and certificates with holder, designated supervisor,
      opening hours, licence number, granted and expiry dates.`,
    `List of current licences by number with holder, premises, kind, granted, expires and fee;
      hackney carriage driver, caravan site, skin piercing.`,
    `Register entries of taxi and private hire licences: plate number, licence number,
      proprietor, vehicle, granted, expires.`,
  ],
  invoice: [
    `Invoice number. Invoice date. Bill to. Description, quantity, unit price, amount. Subtotal.
      VAT at 20 %. Total due. Payment terms 30 days. Bank details, sort code, account number.`,
    `Tax invoice. Purchase order number. Customer. Item, hours, rate, net, VAT, gross. Please pay
      the amount due by the due date quoting the invoice number.`,
    `Invoice for planning advice. Fee, VAT, total payable. Payment is due within 14 days by bank
      transfer. Remittance advice. Late payment interest may be charged.`,
    `Statement of account and invoice. Previous balance, payments received, new charges, amount
      now due, due date. Pay online with your customer number.`,
    `Pro forma invoice. Goods, quantity, unit cost, delivery, total. Payment in advance. IBAN and
      BIC. VAT registration number.`,
    `Credit note and invoice. Invoice no, date, your order, our reference, description of
      services, amount, discount, VAT, total to pay.`,
  ],
  contract: [
    `This agreement is made between the parties. Definitions and interpretation. Term and
      termination. Obligations of the supplier. Confidentiality. Liability and indemnity.
      Governing law. Signed by the parties.`,
    `Contract for services. The contractor shall provide the services to the council. Price and
      payment. Intellectual property. Insurance. Force majeure. Notices. Entire agreement.`,
    `Lease of premises. The landlord lets and the tenant takes the premises for the term at the
      rent. Tenant's covenants. Repair. Assignment. Forfeiture. Executed as a deed.`,
    `Section 106 agreement. The owner covenants with the council to pay the contribution and to
      provide affordable housing. Planning obligations. Definitions. Deed. In witness whereof.`,
    `Employment contract. The employee shall work the hours. Salary, holiday, notice period,
      pension, confidentiality, termination, governing law. Signed by employer and employee.`,
    `Terms and conditions of purchase. The buyer, the seller, delivery, title and risk,
      warranties, limitation of liability, termination, disputes, governing law and jurisdiction.`,
  ],
  correspondence: [
    `Dear Sir or Madam, thank you for your letter. I am sorry for the delay in replying. Please
      call me if you have any questions. Yours faithfully.`,
    `Dear Ms Holm, I write about our telephone conversation last week. I enclose the papers that
      you asked for and look forward to hearing from you. Yours sincerely.`,
    `Hi Tom, thanks for your e-mail. Could we meet on Thursday instead? Let me know what time
      suits you. Kind regards.`,
    `Dear Mr Haddad, further to my letter I would be grateful if you could send me the missing
      document by the end of the month. Best wishes.`,
    `Good morning, just a quick note to say that I have received the parcel. I will get back to
      you next week. Many thanks and kind regards.`,
    `Dear colleagues, please find attached the agenda for our call. Let me know if you can't make
      it. Best regards.`,
  ],
  "meeting-minutes": [
    `Minutes of the planning committee. Present: councillors. Apologies. Declarations of
      interest. Minutes of the last meeting agreed. Resolved that the application be deferred.
      Date of the next meeting. The meeting closed.`,
    `Minutes of the meeting held in the council chamber. Chair. In attendance. Apologies for
      absence. Matters arising. Action points. Any other business. Next meeting.`,
    `Parish council minutes. Members present, public session, reports, finance, it was proposed,
      seconded and resolved by votes. The chair closed the meeting at 21:00.`,
    `Licensing sub-committee minutes. Members. Declarations of interest. The committee heard from
      the applicant and the police. Members retired. Resolved to grant. Meeting ended.`,
    `Board meeting minutes. Attendees, quorum, approval of the previous minutes, chief
      executive's report, decisions, actions with owner and date, adjourned.`,
    `Notes of the project meeting: present, apologies, actions from last time, discussion,
      agreed, action by whom, date of next meeting.`,
  ],
  report: [
    `Report to committee. Executive summary. Background. Options considered. Financial
      implications. Legal implications. Risks. Recommendations. Appendices.`,
    `Annual report. Introduction. Performance against targets. Findings. Key figures. Charts and
      tables. Conclusions and outlook for next year.`,
    `Survey report. Scope and method. Site description. Results. Discussion. Limitations.
      Recommendations. References. Appendix with tables of results.`,
    `Officer's site visit notes. What was seen, measurements, questions for the applicant,
      opinion so far, recommend approval if moved.`,
    `Audit report. Objectives, scope, methodology, findings graded by risk, management response,
      agreed actions, conclusion, level of assurance.`,
    `Study of housing need. Summary, evidence, analysis of data, trends, scenarios, conclusions
      and policy recommendations.`,
  ],
  guidance: [
    `How to apply. Who can apply, what you need to send, how much it costs, how long it takes,
      what happens next, contact us. You must display a notice. You can pay online.`,
    `Guidance notes for applicants. Read these notes before you fill in the form. You need a
      licence to sell alcohol. The fee depends on the band. Contact the team.`,
    `Guide to permitted development. You do not need planning permission when the extension is
      small. Check with the council before you begin. Frequently asked questions.`,
    `Help page: register for an account, reset your password, upload a document, opening times of
      the counter, telephone and e-mail of the team.`,
    `Advice for residents. How to comment on an application, what we can take into account, what
      happens to your comments, when a decision is made.`,
    `Policy and procedure manual. Step by step instructions. Responsibilities. When to use this
      procedure. Forms. Checklists. Contact.`,
  ],
};

export const sampleExamples: readonly SampleExample[] = Object.entries(texts).flatMap(
  ([label, ofLabel]) => ofLabel.map((text) => ({ label, text })),
);
