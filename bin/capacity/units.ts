/**
 * What a request costs at DynamoDB: measured over HTTP on the local stage, in the units that DynamoDB counts
 * (test/capacity/units.slow.test.ts measures them anew and compares). Without the time machine's clock, which prod has not, and
 * with what a function keeps for some seconds (the catalogue, the version policies) at hand.
 */

export type Units = {
  /** Calls to DynamoDB. */
  readonly requests: number;
  /** Strongly consistent reads up to 4 KB; half for eventually consistent ones. */
  readonly read: number;
  /** Writes up to 1 KB; in a transaction each counts twice. */
  readonly write: number;
};

/**
 * By operation, with a catalogue of five agreements, and a site with one patient; of questionnaires with a version that the function has
 * read before. The diary is of one night, under a window; a flag was settled.
 */
export const units = {
  checkAppVersion: { requests: 0, read: 0, write: 0 },
  readMobileSettings: { requests: 0, read: 0, write: 0 },
  listAgreements: { requests: 2, read: 2, write: 0 },
  agree: { requests: 4, read: 3, write: 6 },
  revokeConsent: { requests: 4, read: 3, write: 6 },
  readConsentState: { requests: 6, read: 4, write: 2 },
  listMessages: { requests: 2, read: 2, write: 0 },
  markMessageRead: { requests: 4, read: 3, write: 6 },
  validateAccessCode: { requests: 5, read: 5, write: 0 },
  redeemAccessCode: { requests: 6, read: 5, write: 14 },
  listEntitlements: { requests: 2, read: 2, write: 0 },
  registerDevice: { requests: 7, read: 5, write: 10 },
  joinSiteByCode: { requests: 7, read: 5, write: 10 },
  listOwnSites: { requests: 3, read: 3, write: 0 },
  listPatients: { requests: 7, read: 6, write: 2 },
  readPatient: { requests: 14, read: 9, write: 2 },
  listAccessLog: { requests: 2, read: 2, write: 0 },
  leaveSite: { requests: 3, read: 2, write: 6 },
  putSleepEntry: { requests: 3, read: 2, write: 4 },
  readSleepWindow: { requests: 7, read: 7, write: 0 },
  listDueBundles: { requests: 6, read: 6, write: 0 },
  putQuestionnaireResponse: { requests: 3, read: 2, write: 4 },
  completeQuestionnaireResponse: { requests: 3, read: 2, write: 8 },
  listPatientResponses: { requests: 7, read: 6, write: 2 },
  listQuestionnaireResponses: { requests: 2, read: 2, write: 0 },
  openTicket: { requests: 4, read: 2, write: 18 },
  listOwnTickets: { requests: 2, read: 2, write: 0 },
} as const satisfies Record<string, Units>;

export type MeasuredOperation = keyof typeof units;
