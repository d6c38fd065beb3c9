// Generated from functions/*/personal-data.ts by npm run generate; do not edit.

import type { ErasedTable } from '../../lib/contract/personal-data.ts';
import type { Uses } from '../../lib/contract/uses.ts';

const Users = {"name":"Users","partitionKey":"userId"} as typeof import('../users/tables.ts').Users;
const UserDirectory = {"name":"UserDirectory","partitionKey":"list","sortKey":"entry"} as typeof import('../app-users/tables.ts').UserDirectory;
const Devices = {"name":"Devices","partitionKey":"userId","sortKey":"deviceId"} as typeof import('../devices/tables.ts').Devices;
const DeviceTokens = {"name":"DeviceTokens","partitionKey":"tokenKey"} as typeof import('../devices/tables.ts').DeviceTokens;
const PersonalExports = {"name":"PersonalExports","partitionKey":"userId","sortKey":"exportId","adjustable":["latestId","application","requestedAt","expiresAt","status","finishedAt","progressAt","leaseEndsAt","revision","progress","sizeBytes"]} as typeof import('../personal-exports/tables.ts').PersonalExports;
const StaffAccounts = {"name":"StaffAccounts","partitionKey":"kind","sortKey":"userId","adjustable":["admins","isEnding","revision"]} as typeof import('../staff/tables.ts').StaffAccounts;
const OverviewEntries = {"name":"OverviewEntries","partitionKey":"userId","sortKey":"entry"} as typeof import('../overview/tables.ts').OverviewEntries;
const OverviewFigures = {"name":"OverviewFigures","partitionKey":"generation","sortKey":"figure","adjustable":["count"]} as typeof import('../overview/tables.ts').OverviewFigures;
const CareRelations = {"name":"CareRelations","partitionKey":"userId","sortKey":"siteId"} as typeof import('../crm-sites/tables.ts').CareRelations;
const SitePatients = {"name":"SitePatients","partitionKey":"siteId","sortKey":"userId"} as typeof import('../crm-sites/tables.ts').SitePatients;
const Staff = {"name":"Staff","partitionKey":"userId","sortKey":"part"} as typeof import('../crm-sites/tables.ts').Staff;
const SiteStaff = {"name":"SiteStaff","partitionKey":"siteId","sortKey":"userId"} as typeof import('../crm-sites/tables.ts').SiteStaff;
const StaffDirectory = {"name":"StaffDirectory","partitionKey":"part","sortKey":"place"} as typeof import('../crm-users/tables.ts').StaffDirectory;
const QuestionnaireFlags = {"name":"QuestionnaireFlags","partitionKey":"part","sortKey":"name"} as typeof import('../questionnaire-responses/tables.ts').QuestionnaireFlags;
const FlagDecisions = {"name":"FlagDecisions","partitionKey":"userId","sortKey":"decision"} as typeof import('../questionnaire-responses/tables.ts').FlagDecisions;
const SleepWindows = {"name":"SleepWindows","partitionKey":"userId","sortKey":"number"} as typeof import('../sleep/tables.ts').SleepWindows;
const SleepWindowRuns = {"name":"SleepWindowRuns","partitionKey":"month","sortKey":"run"} as typeof import('../sleep/tables.ts').SleepWindowRuns;
const Entitlements = {"name":"Entitlements","partitionKey":"userId","sortKey":"entitlementId","adjustable":["endedAt"]} as typeof import('../access-codes/tables.ts').Entitlements;
const EntitlementStarts = {"name":"EntitlementStarts","partitionKey":"start","sortKey":"entitlementId"} as typeof import('../access-codes/tables.ts').EntitlementStarts;
const IssuedAccessCodes = {"name":"IssuedAccessCodes","partitionKey":"batchId","sortKey":"part"} as typeof import('../access-codes/tables.ts').IssuedAccessCodes;
const SupportTickets = {"name":"SupportTickets","partitionKey":"part","sortKey":"name"} as typeof import('../support/tables.ts').SupportTickets;
const UrgentTickets = {"name":"UrgentTickets","partitionKey":"part","sortKey":"name"} as typeof import('../support/tables.ts').UrgentTickets;
const UserGroups = {"name":"UserGroups","partitionKey":"userId","sortKey":"groupId"} as typeof import('../groups/tables.ts').UserGroups;
const GroupMembers = {"name":"GroupMembers","partitionKey":"groupId","sortKey":"userId"} as typeof import('../groups/tables.ts').GroupMembers;
const Groups = {"name":"Groups","partitionKey":"kind","sortKey":"groupKey","adjustable":["members","messages","revision"]} as typeof import('../groups/tables.ts').Groups;
const UserEnrolments = {"name":"UserEnrolments","partitionKey":"userId","sortKey":"studyId"} as typeof import('../research/tables.ts').UserEnrolments;
const Enrolments = {"name":"Enrolments","partitionKey":"studyId","sortKey":"userId"} as typeof import('../research/tables.ts').Enrolments;
const Studies = {"name":"Studies","partitionKey":"kind","sortKey":"studyKey","adjustable":["participants","state","codeId"]} as typeof import('../research/tables.ts').Studies;
const RecoveryCodes = {"name":"RecoveryCodes","partitionKey":"userId","adjustable":["hashes"]} as typeof import('../auth/tables.ts').RecoveryCodes;
const Sessions = {"name":"Sessions","partitionKey":"userId","sortKey":"sessionId","adjustable":["renewedAt","endedAt","endedBy"]} as typeof import('../auth/tables.ts').Sessions;
const SignIns = {"name":"SignIns","partitionKey":"userId","sortKey":"signInId"} as typeof import('../auth/tables.ts').SignIns;
const SiteCodeTries = {"name":"SiteCodeTries","partitionKey":"userId"} as typeof import('../crm-sites/tables.ts').SiteCodeTries;
const AgentBoardMessages = {"name":"AgentBoardMessages","partitionKey":"userId","sortKey":"messageId"} as typeof import('../agent-board/tables.ts').AgentBoardMessages;
const QuestionnaireEvidence = {"name":"QuestionnaireEvidence","partitionKey":"userId","sortKey":"change"} as typeof import('../questionnaire-responses/tables.ts').QuestionnaireEvidence;
const QuestionnaireResponses = {"name":"QuestionnaireResponses","partitionKey":"userId","sortKey":"part"} as typeof import('../questionnaire-responses/tables.ts').QuestionnaireResponses;
const SleepEntries = {"name":"SleepEntries","partitionKey":"userId","sortKey":"date"} as typeof import('../sleep/tables.ts').SleepEntries;
const SleepEpisodes = {"name":"SleepEpisodes","partitionKey":"userId","sortKey":"episodeKey"} as typeof import('../sleep/tables.ts').SleepEpisodes;
const SleepinessSigns = {"name":"SleepinessSigns","partitionKey":"userId","sortKey":"sign"} as typeof import('../sleep/tables.ts').SleepinessSigns;
const AccessCodeTries = {"name":"AccessCodeTries","partitionKey":"userId"} as typeof import('../access-codes/tables.ts').AccessCodeTries;
const LearningProgress = {"name":"LearningProgress","partitionKey":"userId","sortKey":"courseId"} as typeof import('../learning/tables.ts').LearningProgress;
const GroupMessageDeliveries = {"name":"GroupMessageDeliveries","partitionKey":"userId","sortKey":"broadcastId"} as typeof import('../groups/tables.ts').GroupMessageDeliveries;

export const erasedTables: readonly ErasedTable[] = [
  { table: RecoveryCodes },
  { table: Sessions },
  { table: SignIns },
  { table: SiteCodeTries },
  { table: AgentBoardMessages },
  { table: QuestionnaireEvidence },
  { table: QuestionnaireResponses },
  { table: SleepEntries },
  { table: SleepEpisodes },
  { table: SleepinessSigns },
  { table: AccessCodeTries },
  { table: LearningProgress },
  { table: GroupMessageDeliveries },
];

export const usesOfErasure = [
  { table: Users, access: 'read' },
  { table: Users, access: 'replace' },
  { table: UserDirectory, access: 'read' },
  { table: UserDirectory, access: 'discard' },
  { table: Devices, access: 'read' },
  { table: Devices, access: 'discard' },
  { table: DeviceTokens, access: 'read' },
  { table: DeviceTokens, access: 'discard' },
  {"pushPlatforms":"erase"},
  { table: PersonalExports, access: 'remove' },
  {"bucket":{"name":"PersonalExportFiles","expiresAfterDays":7},"access":"clear"},
  { table: StaffAccounts, access: 'read' },
  { table: StaffAccounts, access: 'discard' },
  { table: StaffAccounts, access: 'adjust' },
  { table: OverviewEntries, access: 'read' },
  { table: OverviewEntries, access: 'discard' },
  { table: OverviewFigures, access: 'read' },
  { table: OverviewFigures, access: 'adjust' },
  { table: CareRelations, access: 'read' },
  { table: CareRelations, access: 'discard' },
  { table: SitePatients, access: 'read' },
  { table: SitePatients, access: 'discard' },
  { table: Staff, access: 'read' },
  { table: Staff, access: 'discard' },
  { table: SiteStaff, access: 'read' },
  { table: SiteStaff, access: 'discard' },
  { table: StaffDirectory, access: 'read' },
  { table: StaffDirectory, access: 'discard' },
  { table: QuestionnaireFlags, access: 'read' },
  { table: QuestionnaireFlags, access: 'discard' },
  { table: FlagDecisions, access: 'read' },
  { table: FlagDecisions, access: 'discard' },
  { table: SleepWindows, access: 'read' },
  { table: SleepWindows, access: 'discard' },
  { table: SleepWindowRuns, access: 'discard' },
  { table: Entitlements, access: 'read' },
  { table: Entitlements, access: 'discard' },
  { table: EntitlementStarts, access: 'discard' },
  { table: IssuedAccessCodes, access: 'discard' },
  { table: SupportTickets, access: 'read' },
  { table: SupportTickets, access: 'discard' },
  { table: UrgentTickets, access: 'read' },
  { table: UrgentTickets, access: 'discard' },
  { table: UserGroups, access: 'read' },
  { table: UserGroups, access: 'discard' },
  { table: GroupMembers, access: 'discard' },
  { table: Groups, access: 'get' },
  { table: Groups, access: 'adjust' },
  { table: UserEnrolments, access: 'read' },
  { table: UserEnrolments, access: 'discard' },
  { table: Enrolments, access: 'discard' },
  { table: Studies, access: 'get' },
  { table: Studies, access: 'adjust' },
  { table: RecoveryCodes, access: 'remove' },
  { table: Sessions, access: 'remove' },
  { table: SignIns, access: 'remove' },
  { table: SiteCodeTries, access: 'remove' },
  { table: AgentBoardMessages, access: 'remove' },
  { table: QuestionnaireEvidence, access: 'remove' },
  { table: QuestionnaireResponses, access: 'remove' },
  { table: SleepEntries, access: 'remove' },
  { table: SleepEpisodes, access: 'remove' },
  { table: SleepinessSigns, access: 'remove' },
  { table: AccessCodeTries, access: 'remove' },
  { table: LearningProgress, access: 'remove' },
  { table: GroupMessageDeliveries, access: 'remove' },
] as const satisfies Uses;
