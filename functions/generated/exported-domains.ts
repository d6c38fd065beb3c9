// Generated from functions/*/personal-data.ts by npm run generate; do not edit.

import type { ExportedDomain, ExportedFile } from '../../lib/contract/personal-data.ts';
import type { Uses } from '../../lib/contract/uses.ts';

const ConsentRecords = {"name":"ConsentRecords","partitionKey":"userAgreement","sortKey":"recordedAt"} as typeof import('../consents/tables.ts').ConsentRecords;
const ConsentReceipts = {"name":"ConsentReceipts","partitionKey":"userAgreement","sortKey":"recordedAt"} as typeof import('../receipts/tables.ts').ConsentReceipts;
const RecoveryCodes = {"name":"RecoveryCodes","partitionKey":"userId","adjustable":["hashes"]} as typeof import('../auth/tables.ts').RecoveryCodes;
const Sessions = {"name":"Sessions","partitionKey":"userId","sortKey":"sessionId","adjustable":["renewedAt","endedAt","endedBy"]} as typeof import('../auth/tables.ts').Sessions;
const SignIns = {"name":"SignIns","partitionKey":"userId","sortKey":"signInId"} as typeof import('../auth/tables.ts').SignIns;
const Users = {"name":"Users","partitionKey":"userId"} as typeof import('../users/tables.ts').Users;
const Devices = {"name":"Devices","partitionKey":"userId","sortKey":"deviceId"} as typeof import('../devices/tables.ts').Devices;
const StaffAccounts = {"name":"StaffAccounts","partitionKey":"kind","sortKey":"userId","adjustable":["admins","isEnding","revision"]} as typeof import('../staff/tables.ts').StaffAccounts;
const AccessLog = {"name":"AccessLog","partitionKey":"userId","sortKey":"lookId"} as typeof import('../access-log/tables.ts').AccessLog;
const CareRelations = {"name":"CareRelations","partitionKey":"userId","sortKey":"siteId"} as typeof import('../crm-sites/tables.ts').CareRelations;
const SiteCodeTries = {"name":"SiteCodeTries","partitionKey":"userId"} as typeof import('../crm-sites/tables.ts').SiteCodeTries;
const Staff = {"name":"Staff","partitionKey":"userId","sortKey":"part"} as typeof import('../crm-sites/tables.ts').Staff;
const StaffDirectory = {"name":"StaffDirectory","partitionKey":"part","sortKey":"place"} as typeof import('../crm-users/tables.ts').StaffDirectory;
const AgentBoardMessages = {"name":"AgentBoardMessages","partitionKey":"userId","sortKey":"messageId"} as typeof import('../agent-board/tables.ts').AgentBoardMessages;
const FlagDecisions = {"name":"FlagDecisions","partitionKey":"userId","sortKey":"decision"} as typeof import('../questionnaire-responses/tables.ts').FlagDecisions;
const QuestionnaireEvidence = {"name":"QuestionnaireEvidence","partitionKey":"userId","sortKey":"change"} as typeof import('../questionnaire-responses/tables.ts').QuestionnaireEvidence;
const QuestionnaireFlags = {"name":"QuestionnaireFlags","partitionKey":"part","sortKey":"name"} as typeof import('../questionnaire-responses/tables.ts').QuestionnaireFlags;
const QuestionnaireResponses = {"name":"QuestionnaireResponses","partitionKey":"userId","sortKey":"part"} as typeof import('../questionnaire-responses/tables.ts').QuestionnaireResponses;
const SleepEntries = {"name":"SleepEntries","partitionKey":"userId","sortKey":"date"} as typeof import('../sleep/tables.ts').SleepEntries;
const SleepEpisodes = {"name":"SleepEpisodes","partitionKey":"userId","sortKey":"episodeKey"} as typeof import('../sleep/tables.ts').SleepEpisodes;
const SleepWindows = {"name":"SleepWindows","partitionKey":"userId","sortKey":"number"} as typeof import('../sleep/tables.ts').SleepWindows;
const SleepinessSigns = {"name":"SleepinessSigns","partitionKey":"userId","sortKey":"sign"} as typeof import('../sleep/tables.ts').SleepinessSigns;
const AccessCodeTries = {"name":"AccessCodeTries","partitionKey":"userId"} as typeof import('../access-codes/tables.ts').AccessCodeTries;
const Entitlements = {"name":"Entitlements","partitionKey":"userId","sortKey":"entitlementId","adjustable":["endedAt"]} as typeof import('../access-codes/tables.ts').Entitlements;
const LearningProgress = {"name":"LearningProgress","partitionKey":"userId","sortKey":"courseId"} as typeof import('../learning/tables.ts').LearningProgress;
const SupportTickets = {"name":"SupportTickets","partitionKey":"part","sortKey":"name"} as typeof import('../support/tables.ts').SupportTickets;
const UrgentTickets = {"name":"UrgentTickets","partitionKey":"part","sortKey":"name"} as typeof import('../support/tables.ts').UrgentTickets;
const GroupMessageDeliveries = {"name":"GroupMessageDeliveries","partitionKey":"userId","sortKey":"broadcastId"} as typeof import('../groups/tables.ts').GroupMessageDeliveries;
const UserGroups = {"name":"UserGroups","partitionKey":"userId","sortKey":"groupId"} as typeof import('../groups/tables.ts').UserGroups;
const UserEnrolments = {"name":"UserEnrolments","partitionKey":"userId","sortKey":"studyId"} as typeof import('../research/tables.ts').UserEnrolments;
const ConsentStates = {"name":"ConsentStates","partitionKey":"userId","sortKey":"agreementId"} as typeof import('../consents/tables.ts').ConsentStates;
const Agreements = {"name":"Agreements","partitionKey":"application","sortKey":"catalogueKey"} as typeof import('../agreements/tables.ts').Agreements;
const Accounts = {"name":"Accounts","partitionKey":"userId","sortKey":"part"} as typeof import('../erasure/tables.ts').Accounts;
const Questionnaires = {"name":"Questionnaires","partitionKey":"part","sortKey":"name"} as typeof import('../questionnaires/tables.ts').Questionnaires;

export const exportedDomains: readonly ExportedDomain[] = [
  {
    domain: "consents",
    tables: [
      { table: ConsentRecords, through: ConsentStates, fields: ["userId","agreementId"], without: ["userAgreement","expiresAt"], inEnglish: {"holds":"user id, agreement, version, hash of the text, locale, app version, time, request id","why":"proof of consent (GDPR Art. 7 (1))","howLong":"10 years after the erasure, then deleted","readers":"the user; callers with `consents:read`; operators, by a check or an export"}, inGerman: {"holds":"Nutzerkennung, Vereinbarung, Fassung, Prüfwert des Textes, Sprache, Version der App, Zeit, Kennung der Anfrage","why":"Nachweis der Einwilligung (DSGVO Art. 7 Abs. 1)","howLong":"10 Jahre nach der Löschung, dann gelöscht","readers":"die Person selbst; wer die Berechtigung consents:read hat; der Betrieb, bei einer Prüfung oder einem Export"} },
    ],
  },
  {
    domain: "receipts",
    tables: [
      { table: ConsentReceipts, through: ConsentStates, fields: ["userId","agreementId"], without: ["expiresAt"], inEnglish: {"holds":"signed receipts: a record and its signature","why":"a proof that the user can keep","howLong":"with the records","readers":"the user; operators"}, inGerman: {"holds":"signierte Quittungen: ein Eintrag und seine Signatur","why":"ein Nachweis, den die Person behalten kann","howLong":"so lange wie die Einträge","readers":"die Person selbst; der Betrieb"} },
    ],
  },
  {
    domain: "auth",
    tables: [
      { table: RecoveryCodes, without: ["hashes"], inEnglish: {"holds":"user id, hashes of the unused recovery codes, and when the codes were issued","why":"signing in after the user has lost the authenticator app","howLong":"until the next codes are issued, or until the erasure","readers":"operators, who cannot read the codes"}, inGerman: {"holds":"Nutzerkennung, verschlüsselte Kennzeichen der verbleibenden Wiederherstellungscodes, Zeit der Ausstellung","why":"die Anmeldung, wenn die Authenticator-App verloren ist","howLong":"bis zur nächsten Ausstellung, oder bis zur Löschung","readers":"der Betrieb, aber keinen Code"} },
      { table: Sessions, without: ["sealedToken","tokenHash","predecessors","expiresAt"], inEnglish: {"holds":"user id, times of sign-in, renewal and end, app version, name of the device, Cognito’s refresh token sealed, hashes of the app’s refresh tokens","why":"showing the devices that are signed in, and ending their sessions","howLong":"two weeks longer than a session lasts at most (sleepcare: 44 days from the sign-in; medinfo: 14 days and 12 hours), or until the erasure","readers":"the user; operators, who cannot read the token"}, inGerman: {"holds":"Nutzerkennung, Zeiten von Anmeldung, Erneuerung und Ende, App-Version, Name des Geräts, verschlüsselte Anmeldeschlüssel","why":"angemeldete Geräte zeigen und abmelden","howLong":"44 Tage ab der Anmeldung, oder bis zur Löschung","readers":"die Person selbst; der Betrieb, aber nicht den Anmeldeschlüssel"} },
      { table: SignIns, without: ["expiresAt"], inEnglish: {"holds":"user id, times of sign-ins, the application, the network (the first 24 bits of an IPv4 address, 48 of an IPv6 address), whether the app proved an earlier session","why":"seeing who came into an account, and when","howLong":"90 days from the sign-in, or until the erasure","readers":"the user; administrators (`users:admin`); operators"}, inGerman: {"holds":"Nutzerkennung, Zeiten der Anmeldungen, Anwendung, Netz (die ersten 24 Bit einer IPv4-Adresse, 48 einer IPv6-Adresse), ob die App eine frühere Anmeldung belegte","why":"zeigen, wer sich wann im Konto angemeldet hat","howLong":"90 Tage ab der Anmeldung, oder bis zur Löschung","readers":"die Person selbst; die Administration der Konten; der Betrieb"} },
    ],
  },
  {
    domain: "users",
    tables: [
      { table: Users, inEnglish: {"holds":"user id, the user pool's name for the user, e-mail address, locale, time zone, year of birth; which user each address belongs to","why":"the profile","howLong":"until the erasure","readers":"the user; staff with `users:read`; with the user's `data-sharing` the physicians of the user's sites (not the user names); operators"}, inGerman: {"holds":"Nutzerkennung, Name im Anmeldedienst, E-Mail-Adresse, Sprache, Zeitzone, Geburtsjahr","why":"das Profil","howLong":"bis zur Löschung","readers":"die Person selbst; Mitarbeitende mit der Berechtigung users:read; mit Ihrer Einwilligung data-sharing die Ärztinnen und Ärzte Ihrer Einrichtungen; der Betrieb"} },
    ],
  },
  {
    domain: "devices",
    tables: [
      { table: Devices, without: ["tokenHash","endpointArn","revision"], inEnglish: {"holds":"device id, platform, app version, locale, the push token's hash, the endpoint's ARN","why":"pushes","howLong":"until unregistered or erased","readers":"the user; the senders of pushes and of mails; operators"}, inGerman: {"holds":"Kennung des Geräts, Plattform, Version der App, Sprache; ein Prüfwert des Push-Tokens und die Adresse beim Push-Dienst, die nicht in der Kopie stehen","why":"Mitteilungen auf das Telefon","howLong":"bis zur Abmeldung des Geräts oder zur Löschung","readers":"die Person selbst; wer die Mitteilungen sendet; der Betrieb"} },
    ],
  },
  {
    domain: "staff",
    tables: [
      { table: StaffAccounts, by: "readOwnStaffAccount", inEnglish: {"holds":"user id, e-mail address, language, roles and state of a member of staff; a list of the administrators","why":"what each member of staff may do","howLong":"until the erasure","readers":"the user; `iam:admin`; the authorizer of the staff's application; operators"}, inGerman: {"holds":"E-Mail-Adresse, Sprache, Rollen und Status der Mitarbeiterin oder des Mitarbeiters; wer Administratorin oder Administrator ist","why":"was jede Person tun darf, die hier arbeitet","howLong":"bis zur Löschung","readers":"die Person selbst; die Administration der Rollen; die Anmeldung der Anwendung; der Betrieb"} },
    ],
  },
  {
    domain: "access-log",
    tables: [
      { table: AccessLog, without: ["by","requestId","expiresAt"], inEnglish: {"holds":"whose data was looked at; who looked, with name, roles and site; when, by which route, on which consent record","why":"a person sees who looked at their data","howLong":"3 years, then deleted","readers":"the user; operators"}, inGerman: {"holds":"wessen Daten gesehen wurden; wer sie sah, mit Namen, Rolle und Einrichtung; wann, auf welchem Weg und auf welche Einwilligung hin","why":"Sie sehen, wer Ihre Daten gesehen hat","howLong":"3 Jahre, dann gelöscht","readers":"die Person selbst; der Betrieb"} },
    ],
  },
  {
    domain: "crm-sites",
    tables: [
      { table: CareRelations, inEnglish: {"holds":"user id, site, since when, and whether it is the main site","why":"the staff of a site can look at the data of its patients","howLong":"until the patient leaves the site, or the erasure","readers":"the user; the site's staff; operators"}, inGerman: {"holds":"Nutzerkennung, Einrichtung, seit wann, und ob es die Haupteinrichtung ist","why":"das Team einer Einrichtung kann die Daten ihrer Patientinnen und Patienten sehen","howLong":"bis die Person die Einrichtung verlässt, oder bis zur Löschung","readers":"die Person selbst; das Team der Einrichtung; der Betrieb"} },
      { table: SiteCodeTries, without: ["changeId","expiresAt"], inEnglish: {"holds":"user id, and when the user typed wrong codes of sites","why":"preventing people from guessing codes","howLong":"an hour; then deleted","readers":"the routes that take a code; operators"}, inGerman: {"holds":"wann eine Person falsche Codes von Einrichtungen eingegeben hat","why":"niemand soll Codes erraten","howLong":"eine Stunde; dann gelöscht","readers":"die Funktionen, die einen Code annehmen; der Betrieb"} },
      { table: Staff, inEnglish: {"holds":"user id, the name that patients see, the sites that the member of staff works at","why":"who works where","howLong":"until the erasure","readers":"the user; `crm:admin`; patients whose data they looked at (the name); operators"}, inGerman: {"holds":"Nutzerkennung, der Name, den Patientinnen und Patienten sehen, und die Einrichtungen, in denen die Person arbeitet","why":"wer wo arbeitet","howLong":"bis zur Löschung","readers":"die Person selbst; die Verwaltung der Einrichtungen; wessen Daten die Person gesehen hat (den Namen); der Betrieb"} },
    ],
  },
  {
    domain: "crm-users",
    tables: [
      { table: StaffDirectory, without: ["place","revision"], inEnglish: {"holds":"user id, name, title, specialties, sites, roles and state of a member of staff","why":"members of staff find each other","howLong":"until the erasure","readers":"the user; staff with `crm-users:read`; operators"}, inGerman: {"holds":"Nutzerkennung, Name, Titel, Fachgebiete, Einrichtungen, Rollen und Status einer Person im Team","why":"das Team findet einander","howLong":"bis zur Löschung","readers":"die Person selbst; Mitarbeitende mit der Berechtigung crm-users:read; der Betrieb"} },
    ],
  },
  {
    domain: "agent-board",
    tables: [
      { table: AgentBoardMessages, by: "readAllMessages", inEnglish: {"holds":"title and text of messages, which may be about health; when each was read; the user id of the author","why":"the agent board","howLong":"until the erasure","readers":"the user; operators. Staff write messages and cannot read them"}, inGerman: {"holds":"Titel und Text von Nachrichten, die von der Gesundheit handeln können, und wann sie gelesen wurden","why":"die Nachrichten in der App","howLong":"bis zur Löschung","readers":"die Person selbst; der Betrieb. Mitarbeitende schreiben und können nicht lesen"} },
    ],
  },
  {
    domain: "questionnaire-responses",
    tables: [
      { table: FlagDecisions, without: ["by","decision"], inEnglish: {"holds":"the user's id; which flag somebody acknowledged or ended, how, when and who","why":"it stays known who took care of an answer that must not wait","howLong":"until the erasure of the user","readers":"the functions that guard flags; operators"}, inGerman: {"holds":"welcher Hinweis bestätigt wurde oder wie er endete, wann und durch wen","why":"es bleibt nachvollziehbar, wer sich um eine Antwort gekümmert hat, die nicht warten darf","howLong":"bis zur Löschung","readers":"die Funktionen, die auf Hinweise achten; der Betrieb"} },
      { table: QuestionnaireEvidence, without: ["before","after"], inEnglish: {"holds":"rows of answers and flags, as they were before and after somebody changed them who may not, and when","why":"an attack on answers and flags can be seen and undone","howLong":"until the erasure of the user","readers":"operators"}, inGerman: {"holds":"Antworten und Hinweise, wie sie vor und nach einer unerlaubten Änderung waren, und wann; in der Kopie nur wann","why":"ein Angriff auf Antworten und Hinweise fällt auf und lässt sich rückgängig machen","howLong":"bis zur Löschung","readers":"der Betrieb"} },
      { table: QuestionnaireFlags, by: "readAllFlags", inEnglish: {"holds":"the user's id; which response raised which flag, and when; who acknowledged the flag, how it ended and by whom","why":"a person looks at an answer that must not wait","howLong":"until the erasure of the user","readers":"`questionnaires:flags`; operators"}, inGerman: {"holds":"die Kennung der Person, welche Antwort welchen Hinweis ausgelöst hat, wann; wer ihn bestätigt hat, wie er endete und durch wen","why":"ein Mensch sieht sich eine Antwort an, die nicht warten darf","howLong":"bis zur Löschung","readers":"wer für die Sicherheit der Patientinnen und Patienten zuständig ist; der Betrieb"} },
      { table: QuestionnaireResponses, by: "readAllResponses", inEnglish: {"holds":"answers to questionnaires, including free text; scores; the times of both; which reminders were sent","why":"therapy and its course","howLong":"until the erasure; a deleted draft leaves its id and times","readers":"the user; callers with `patients:read`, a care relation and `data-sharing`: completed responses; operators"}, inGerman: {"holds":"Antworten auf Fragebögen, auch als freier Text, Auswertungen, Zeiten; welche Erinnerungen verschickt wurden","why":"die Therapie und ihr Verlauf","howLong":"bis zur Löschung; von einem gelöschten Entwurf bleiben Kennung und Zeiten","readers":"die Person selbst; was abgeschlossen ist, auch Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb"} },
    ],
  },
  {
    domain: "sleep",
    tables: [
      { table: SleepEntries, without: ["revision","fingerprint"], inEnglish: {"holds":"nights as the patient wrote them down: times, awakenings, quality, naps, medication, alcohol, caffeine, notes, whether they nodded off, time zone; when they were written","why":"the sleep diary","howLong":"until the erasure; a deleted entry leaves its date and the times of writing","readers":"the patient; callers with `patients:read`, a care relation and `data-sharing`; operators"}, inGerman: {"why":"das Schlaftagebuch","howLong":"bis zur Löschung; von einem gelöschten Eintrag bleiben Datum und Zeiten","readers":"die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb","holds":"Nächte, wie die Person sie aufgeschrieben hat: Zeiten, Wachliegen, Qualität, Nickerchen, Medikamente, Alkohol, Koffein, Notizen, Einnicken, Zeitzone; wann sie aufgeschrieben wurden"} },
      { table: SleepEpisodes, without: ["fingerprint"], inEnglish: {"holds":"nights as devices recorded them: the source and its id, times, sleep stages, time zone","why":"the sleep diary","howLong":"until the erasure","readers":"the patient; callers with `patients:read`, a care relation and `data-sharing`; operators"}, inGerman: {"why":"das Schlaftagebuch","howLong":"bis zur Löschung","readers":"die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb","holds":"Nächte, wie Geräte sie aufgezeichnet haben: Quelle, deren Kennung, Zeiten, Schlafphasen, Zeitzone"} },
      { table: SleepWindows, without: ["releasedBy"], inEnglish: {"holds":"sleep windows: their times; the week and the rules that each is based on; when they were released, replaced or withdrawn, and by whom; when signs of sleepiness, of a low mood and of an excluding answer arrived that a decision knew","why":"sleep restriction therapy","howLong":"until the erasure","readers":"the patient; callers with `patients:read`, a care relation and `data-sharing`; operators"}, inGerman: {"why":"die Schlafrestriktion","howLong":"bis zur Löschung","readers":"die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb","holds":"Schlaffenster: Zeiten, die Woche und die Regeln, auf denen sie beruhen, wann und von wem sie freigegeben, ersetzt oder zurückgenommen wurden; wann die Zeichen von Schläfrigkeit, gedrückter Stimmung und ausschließenden Antworten eintrafen, die bei einer Entscheidung bekannt waren"} },
      { table: SleepinessSigns, without: ["fingerprint","sign"], inEnglish: {"holds":"nights for which the diary said that the patient nodded off, and when it said so","why":"the safety of sleep restriction therapy","howLong":"until the erasure","readers":"the patient; callers with `patients:read`, a care relation and `data-sharing`; operators"}, inGerman: {"why":"die Sicherheit der Schlafrestriktion","howLong":"bis zur Löschung","readers":"die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb","holds":"Nächte, zu denen im Tagebuch ein Einnicken stand, und wann das dort stand"} },
    ],
  },
  {
    domain: "access-codes",
    tables: [
      { table: AccessCodeTries, without: ["revision","expiresAt"], inEnglish: {"holds":"when a user entered wrong codes","why":"preventing people from guessing codes","howLong":"an hour after the last wrong code; then deleted","readers":"operators"}, inGerman: {"holds":"wann eine Person falsche Codes eingegeben hat","why":"niemand soll Codes erraten","howLong":"eine Stunde nach dem letzten; dann gelöscht","readers":"der Betrieb"} },
      { table: Entitlements, inEnglish: {"holds":"programme, start and end of what a user's codes unlocked, when staff ended it, and the hash of the code","why":"the therapy that a code unlocks","howLong":"until the erasure","readers":"the user; callers with `patients:read`, a care relation and `data-sharing`; operators"}, inGerman: {"holds":"Programm, Beginn und Ende dessen, was Codes freigeschaltet haben, wann es vorzeitig beendet wurde, und welcher Code es war, als Prüfsumme","why":"die Therapie, die ein Code freischaltet","howLong":"bis zur Löschung","readers":"die Person selbst; Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb"} },
    ],
  },
  {
    domain: "learning",
    tables: [
      { table: LearningProgress, without: ["revision"], inEnglish: {"holds":"which units of courses a user began and completed, how far the user got in each, and when; answers to quizzes and their scores","why":"the user continues at the same place, also on another phone; the next units are unlocked","howLong":"until the erasure","readers":"the user; callers with `patients:read`, a care relation and `data-sharing`: the completed units; operators"}, inGerman: {"holds":"welche Einheiten von Kursen begonnen und abgeschlossen wurden, wie weit, wann; Antworten auf Quizfragen und ihr Ergebnis","why":"weiterlernen, wo man war, auch auf einem anderen Telefon; was als Nächstes freigeschaltet wird","howLong":"bis zur Löschung","readers":"die Person selbst; was abgeschlossen ist, auch Ärztinnen und Ärzte ihrer Einrichtungen mit ihrer Einwilligung; der Betrieb"} },
    ],
  },
  {
    domain: "support",
    tables: [
      { table: SupportTickets, by: "readAllTickets", inEnglish: {"holds":"what a patient asked the support, the answers, internal notes of staff, times, who works on the ticket","why":"the support answers","howLong":"until the erasure of the patient","readers":"the user (not the internal notes); callers with `support:write`; callers with `patients:read`, a care relation and `data-sharing` (only state and priority); operators"}, inGerman: {"holds":"was eine Person den Support gefragt hat, die Antworten, interne Notizen des Supports, Zeiten, wer daran arbeitet","why":"der Support antwortet","howLong":"bis zur Löschung der Patientin oder des Patienten","readers":"die Person selbst (ohne interne Notizen, die auf Anfrage nach Prüfung herausgegeben werden); der Support; mit Einwilligung die Einrichtung, aber nur Stand und Dringlichkeit; der Betrieb"} },
      { table: UrgentTickets, by: "readAllUrgentTickets", inEnglish: {"holds":"the ids of the person, the response and the flag; times; who acknowledged the ticket","why":"a person looks at an answer that must not wait","howLong":"until the erasure of the patient","readers":"callers with `support:urgent`; callers with `support:urgent-of-sites`, a care relation and `data-sharing`; operators"}, inGerman: {"holds":"von einem Hinweis die Kennungen von Person, Antwort und Hinweis, Zeiten, und wer ihn bestätigt hat","why":"ein Mensch sieht sich eine Antwort an, die nicht warten darf","howLong":"bis zur Löschung der Patientin oder des Patienten","readers":"wer für die Sicherheit der Patientinnen und Patienten zuständig ist; mit Einwilligung die Einrichtung; der Betrieb"} },
    ],
  },
  {
    domain: "groups",
    tables: [
      { table: GroupMessageDeliveries, without: ["expiresAt"], inEnglish: {"holds":"user id, which message to a group was posted to the user's agent board or was not for the user, and when","why":"nobody gets the same message twice, and it is counted what became of it","howLong":"60 days, or until the erasure","readers":"the function that posts; operators"}, inGerman: {"holds":"Nutzerkennung, welche Nachricht an eine Gruppe wann in der App ankam oder nicht zugestellt wurde","why":"niemand soll dieselbe Nachricht zweimal bekommen, und es wird gezählt, was aus ihr wurde","howLong":"60 Tage, oder bis zur Löschung","readers":"die Funktion, die Nachrichten zustellt; der Betrieb"} },
      { table: UserGroups, inEnglish: {"holds":"user id, group, since when","why":"the groups of a user","howLong":"until the removal from the group, or the erasure","readers":"`groups:admin`; operators"}, inGerman: {"holds":"Nutzerkennung, Gruppe, seit wann","why":"Gruppen, denen das Team gemeinsam schreibt","howLong":"bis zum Ende der Mitgliedschaft, oder bis zur Löschung","readers":"die Verwaltung der Gruppen; der Betrieb"} },
    ],
  },
  {
    domain: "research",
    tables: [
      { table: UserEnrolments, without: ["revision","codeId"], inEnglish: {"holds":"the same as `Enrolments`, by user","why":"the studies of a user","howLong":"until the erasure","readers":"the user; operators"}, inGerman: {"holds":"Nutzerkennung, Studie, von wann bis wann die Person teilnimmt, Gruppe, die Einwilligung dazu, und ob exportierte Daten nach dem Austritt bleiben dürfen","why":"die Studien, an denen die Person teilnimmt","howLong":"bis zur Löschung","readers":"die Person selbst; der Betrieb"} },
    ],
  },
];

export const exportedFiles: readonly Omit<ExportedFile, 'uses'>[] = [
  {"name":"consents.html","holds":{"en":"what you agreed to and revoked, when, in which version of the text, and how each decision can be verified","de":"wozu Sie zugestimmt und was Sie widerrufen haben, wann, zu welcher Fassung des Textes, und wie sich jede Entscheidung prüfen lässt"},"by":"writeConsentPage"},
  {"name":"fhir.json","holds":{"en":"profile, consents, completed questionnaires and nights once more, in the format FHIR R4, which other health systems can read","de":"Profil, Einwilligungen, abgeschlossene Fragebögen und Nächte noch einmal, im Format FHIR R4, das andere Gesundheitssysteme lesen können"},"by":"writeFhirFile"},
];

export const usesOfExport = [
  { table: ConsentStates, access: 'read' },
  { table: ConsentRecords, access: 'read' },
  { table: ConsentReceipts, access: 'read' },
  { table: RecoveryCodes, access: 'read' },
  { table: Sessions, access: 'read' },
  { table: SignIns, access: 'read' },
  { table: Users, access: 'read' },
  { table: Devices, access: 'read' },
  { table: StaffAccounts, access: 'read' },
  { table: AccessLog, access: 'read' },
  { table: CareRelations, access: 'read' },
  { table: SiteCodeTries, access: 'read' },
  { table: Staff, access: 'read' },
  { table: StaffDirectory, access: 'read' },
  { table: AgentBoardMessages, access: 'read' },
  { table: FlagDecisions, access: 'read' },
  { table: QuestionnaireEvidence, access: 'read' },
  { table: QuestionnaireFlags, access: 'read' },
  { table: QuestionnaireResponses, access: 'read' },
  { table: SleepEntries, access: 'read' },
  { table: SleepEpisodes, access: 'read' },
  { table: SleepWindows, access: 'read' },
  { table: SleepinessSigns, access: 'read' },
  { table: AccessCodeTries, access: 'read' },
  { table: Entitlements, access: 'read' },
  { table: LearningProgress, access: 'read' },
  { table: SupportTickets, access: 'read' },
  { table: UrgentTickets, access: 'read' },
  { table: GroupMessageDeliveries, access: 'read' },
  { table: UserGroups, access: 'read' },
  { table: UserEnrolments, access: 'read' },
  { table: Agreements, access: 'read' },
  { table: Accounts, access: 'get' },
  { table: Questionnaires, access: 'read' },
] as const satisfies Uses;
