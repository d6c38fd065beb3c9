/**
 * How many of DynamoDB's capacity units a request costs, measured over HTTP on the local stage. test/capacity/units.slow.test.ts
 * measures them again and compares. The time machine's clock is not included, because prod does not have it. The function has
 * already cached what it keeps for some seconds (the catalogue, the version policies).
 */

export type Units = {
  /** The number of calls to DynamoDB. */
  readonly requests: number;
  /** Strongly consistent reads up to 4 KB; half for eventually consistent ones. */
  readonly read: number;
  /** Writes up to 1 KB; in a transaction each counts twice. */
  readonly write: number;
};

/**
 * For each operation: with a catalogue of five agreements, a site with one patient, and a questionnaire version that the function has
 * already read. The diary has one night, with a sleep window. A flag was acknowledged.
 */
export const units = {
  checkAppVersion: { requests: 0, read: 0, write: 0 },
  readMobileSettings: { requests: 0, read: 0, write: 0 },
  listAgreements: { requests: 2, read: 3, write: 0 },
  agree: { requests: 4, read: 4, write: 6 },
  revokeConsent: { requests: 5, read: 5, write: 6 },
  readConsentState: { requests: 6, read: 5, write: 2 },
  listMessages: { requests: 2, read: 3, write: 0 },
  markMessageRead: { requests: 4, read: 4, write: 6 },
  validateAccessCode: { requests: 5, read: 6, write: 0 },
  redeemAccessCode: { requests: 6, read: 6, write: 14 },
  listEntitlements: { requests: 2, read: 3, write: 0 },
  registerDevice: { requests: 7, read: 6, write: 10 },
  joinSiteByCode: { requests: 7, read: 6, write: 10 },
  listOwnSites: { requests: 3, read: 4, write: 0 },
  listPatients: { requests: 8, read: 8, write: 2 },
  readPatient: { requests: 15, read: 11, write: 2 },
  listAccessLog: { requests: 3, read: 4, write: 0 },
  leaveSite: { requests: 3, read: 3, write: 6 },
  putSleepEntry: { requests: 3, read: 3, write: 4 },
  readSleepWindow: { requests: 10, read: 11, write: 0 },
  listDueBundles: { requests: 7, read: 8, write: 0 },
  putQuestionnaireResponse: { requests: 3, read: 3, write: 6 },
  completeQuestionnaireResponse: { requests: 3, read: 3, write: 10 },
  listPatientResponses: { requests: 8, read: 8, write: 2 },
  listQuestionnaireResponses: { requests: 2, read: 3, write: 0 },
  listQuestionnaireScores: { requests: 2, read: 3, write: 0 },
  openTicket: { requests: 4, read: 3, write: 18 },
  listOwnTickets: { requests: 2, read: 3, write: 0 },
} as const satisfies Record<string, Units>;

export type MeasuredOperation = keyof typeof units;
