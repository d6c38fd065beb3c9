/** What the document cannot say about an operation, and the fuzzer has to know. */

export type Override = {
  /** Sent by the same caller once the operation succeeded: what it did to everybody is taken back. */
  readonly undoneBy?: string;
  /** How much less often it is called, as each call costs more: one of so many. */
  readonly rarer?: number;
  /** Fields of the body that must not name what is there already. */
  readonly fresh?: readonly string[];
  /** Why no generated request need succeed. */
  readonly neverSucceeds?: string;
  /** What a refused request may write all the same. */
  readonly writesWhenRefused?: string;
  /** Called after all others, as it takes from them what they are about: the greater, the later. */
  readonly isLast?: 1 | 2;
};

const careNeeded = 'the patient has to be with a site of the caller';
const tries = 'each try of a code is counted';
const adopted = 'on the dev stage the first call of a caller whom only the token names makes the row of that account';
const revisionNeeded = 'its present revision has to be named';

export const overrides: Readonly<Record<string, Override>> = {
  setClock: { undoneBy: 'resetClock' },
  verifySignUp: { neverSucceeds: 'the code has to be that of a mail', writesWhenRefused: tries },
  resetPassword: { neverSucceeds: 'the code has to be that of a mail', writesWhenRefused: tries },
  verifyEmailChange: { neverSucceeds: 'the code has to be that of a mail', writesWhenRefused: tries },
  changePassword: {
    neverSucceeds: 'the current password has to be named',
    writesWhenRefused: 'a wrong password is counted',
  },
  chooseFirstPassword: {
    rarer: 2,
    neverSucceeds: 'a temporary password has to be named',
    writesWhenRefused: 'a wrong password is counted',
  },
  secureAccount: { neverSucceeds: 'the token of a mail has to be named' },
  beginSecondFactor: { neverSucceeds: 'the user pool has to know the caller' },
  verifySecondFactor: { neverSucceeds: 'the code has to be that of an authenticator app' },
  removeSecondFactor: { neverSucceeds: 'the user pool has to know the caller' },
  endSession: { neverSucceeds: 'there has to be a session' },
  // A password's hash takes its time.
  issueTokens: { rarer: 2 },
  requestEmailChange: { neverSucceeds: 'the user pool has to know the caller' },
  issueRecoveryCodes: { neverSucceeds: 'the user pool has to know the caller' },
  useRecoveryCode: {
    rarer: 2,
    neverSucceeds: 'the password has to be named',
    writesWhenRefused: 'a wrong password is counted',
  },
  // Whose account is closed may call little else, and what ended with it stays ended.
  requestErasure: { isLast: 2, undoneBy: 'restoreAccount' },
  // Nobody reads what is deleted.
  deleteMessage: { isLast: 1 },
  joinSite: { neverSucceeds: 'the code has to be that of the site in the path' },
  // Whom a request finds by luck is a token's user, whom the pool does not know.
  readStaffMember: { neverSucceeds: 'there has to be an account of the staff' },
  updateStaffMember: { neverSucceeds: 'the revision of an account has to be named', writesWhenRefused: adopted },
  acceptStaffInvitation: { neverSucceeds: 'the token of a mail has to be named' },
  inviteStaff: { rarer: 4, fresh: ['email'], writesWhenRefused: adopted },
  disableStaff: { neverSucceeds: 'there has to be an account of the staff', writesWhenRefused: adopted },
  enableStaff: { neverSucceeds: 'there has to be an account of the staff', writesWhenRefused: adopted },
  resetStaffMfa: { neverSucceeds: 'there has to be an account of the staff', writesWhenRefused: adopted },
  resendStaffInvitation: { neverSucceeds: 'there has to be an account of the staff', writesWhenRefused: adopted },
  readUserRoles: { neverSucceeds: 'there has to be an account of the staff' },
  giveRole: { neverSucceeds: 'there has to be an account of the staff', writesWhenRefused: adopted },
  takeRole: { neverSucceeds: 'there has to be an account of the staff', writesWhenRefused: adopted },
  requestErasureOf: { isLast: 2, neverSucceeds: 'it would close the accounts of the other requests' },
  disableUser: { isLast: 1, neverSucceeds: 'there has to be a user of the app' },
  enableUser: { neverSucceeds: 'there has to be a user of the app' },
  signOutUser: { neverSucceeds: 'there has to be a user of the app' },
  resendVerification: { neverSucceeds: 'there has to be a user of the app' },
  readAppUser: { neverSucceeds: 'there has to be a user of the app' },
  listSignInsOfUser: { neverSucceeds: 'there has to be a user of the app' },
  acknowledgeFlag: { neverSucceeds: 'there has to be a flag' },
  endFlag: { neverSucceeds: 'there has to be a flag' },
  listFlagsOfPatient: { neverSucceeds: careNeeded },
  endFlagOfPatient: { neverSucceeds: careNeeded },
  listSleepEntries: { neverSucceeds: 'its dates have to be in order and within 100 days' },
  readSleepSummary: { neverSucceeds: 'its dates have to be in order and within 366 days' },
  leaveSite: { isLast: 1 },
  removeSiteStaff: { isLast: 1 },
  createStudy: { neverSucceeds: 'its dates have to be in order, and an optional agreement named' },
  readStudy: { neverSucceeds: 'there has to be a study' },
  replaceStudy: { neverSucceeds: revisionNeeded },
  transitionStudy: { neverSucceeds: revisionNeeded },
  renewStudyCode: { neverSucceeds: 'there has to be a study' },
  inviteToStudy: { neverSucceeds: 'there has to be a study' },
  countParticipants: { neverSucceeds: 'there has to be a study' },
  requestResearchExport: { neverSucceeds: 'there has to be a study' },
  listResearchExports: { neverSucceeds: 'there has to be a study' },
  readResearchExport: { neverSucceeds: 'there has to be an export' },
  listResearchNotices: { neverSucceeds: 'there has to be a study' },
  lookUpStudy: { neverSucceeds: 'the code has to be that of a study' },
  joinStudy: { neverSucceeds: 'the code has to be that of a study' },
  leaveStudy: { neverSucceeds: 'there has to be a study' },
  removeGroupMember: { isLast: 1 },
  deleteGroup: { isLast: 1 },
  draftAgreementVersion: { neverSucceeds: 'its default locale has to be one of its locales, which no schema says' },
  importQuestionnaire: { neverSucceeds: 'a FHIR resource has a form that no schema of ours says' },
  putQuestionnaireResponse: { neverSucceeds: 'a version that is published has to be named with its own questionnaire' },
  readQuestionnaireResponse: { neverSucceeds: 'there has to be a response' },
  completeQuestionnaireResponse: { neverSucceeds: 'there has to be a response' },
  amendQuestionnaireResponse: { neverSucceeds: 'there has to be a response' },
  putMobileSettingDefinition: {
    neverSucceeds: 'each value has to fit the schema of the setting, which is a part of the body',
  },
  deleteMobileSettingDefinition: { isLast: 1, neverSucceeds: 'its present revision has to be named' },
  readUnit: { neverSucceeds: 'there has to be an entitlement' },
  putUnitProgress: { neverSucceeds: 'there has to be an entitlement' },
  completeUnit: { neverSucceeds: 'there has to be an entitlement' },
  signContentUpload: { neverSucceeds: 'there has to be a draft, and one of its languages has to be named' },
  putSleepEntry: { neverSucceeds: 'its times have to be in order and on the date, which no schema says' },
  readSleepEntry: { neverSucceeds: 'there has to be an entry of the date' },
  postSleepEpisodes: { neverSucceeds: 'its stages have to be of its source and within it, which no schema says' },
  joinSiteByCode: { neverSucceeds: 'the code has to be that of a site' },
  readPatient: { neverSucceeds: careNeeded },
  readPatientTimeline: { neverSucceeds: careNeeded },
  listPatientResponses: { neverSucceeds: careNeeded },
  listSleepEntriesOfPatient: { neverSucceeds: careNeeded },
  readSleepSummaryOfPatient: { neverSucceeds: careNeeded },
  readSleepWindowOfPatient: { neverSucceeds: careNeeded },
  readSleepReportOfPatient: { neverSucceeds: careNeeded },
  releaseOwnSleepWindow: { neverSucceeds: 'there has to be a week of the diary, and a screening' },
  releaseSleepWindow: { neverSucceeds: careNeeded },
  updateSite: { neverSucceeds: revisionNeeded },
  deleteSite: { isLast: 1, neverSucceeds: revisionNeeded },
  updateCrmUser: { neverSucceeds: revisionNeeded },
  changeTicket: { neverSucceeds: revisionNeeded },
  addTicketComment: { neverSucceeds: revisionNeeded },
  transitionTicket: { neverSucceeds: revisionNeeded },
  acknowledgeUrgentTicket: { neverSucceeds: 'there has to be a flag' },
  acknowledgeUrgentTicketOfPatient: { neverSucceeds: careNeeded },
  withdrawSleepWindow: { neverSucceeds: careNeeded },
};
