import type { MeasuredOperation } from './units.ts';

/** What users do, as stated on the command line; the rest follows. */
export type Traffic = {
  /** Registered. */
  readonly users: number;
  /** Of these, the share that opens the app on a day, and in a month. */
  readonly dailyShare: number;
  readonly monthlyShare: number;
  /** Of an active user, on a day. */
  readonly startsPerDay: number;
  readonly messagesPerMonth: number;
  /** Of an active user; each is saved as a draft six times. */
  readonly responsesPerMonth: number;
  /** Consents and revocations, half of each. */
  readonly changesPerYear: number;
  readonly codesPerYear: number;
  readonly devicesPerUser: number;
  /** Of the users, those who are with a site. */
  readonly careShare: number;
  /** At each of these, by the staff of the site. */
  readonly looksPerMonth: number;
  /** How much busier the busiest hour is than the average one. */
  readonly peak: number;
};

export const usualTraffic: Traffic = {
  users: 100_000,
  dailyShare: 0.3,
  monthlyShare: 0.7,
  startsPerDay: 3,
  messagesPerMonth: 4,
  responsesPerMonth: 2,
  changesPerYear: 3,
  codesPerYear: 2,
  devicesPerUser: 1.2,
  careShare: 0.5,
  looksPerMonth: 4,
  peak: 4,
};

const monthSeconds = 30 * 86_400;

export type Load = {
  /** Requests a month, by operation. */
  readonly monthly: Readonly<Record<MeasuredOperation | 'issueTokens', number>>;
  readonly pushesMonthly: number;
  readonly activeUsers: number;
};

/**
 * At a start the app checks its version, reads its settings, renews its access token (which lives 15 minutes), and reads agreements and
 * messages and what is due. A service asks for the state of a consent once for every start. Who is with a site came there once in a year or two, and looks
 * once a month at the own sites and at who looked; the staff reads a list for every ten looks at a patient.
 */
export function loadOf(traffic: Traffic): Load {
  const {
    users,
    dailyShare,
    monthlyShare,
    startsPerDay,
    messagesPerMonth,
    changesPerYear,
    codesPerYear,
    devicesPerUser,
  } = traffic;
  const patients = users * traffic.careShare;
  const responses = users * monthlyShare * traffic.responsesPerMonth;
  const starts = users * dailyShare * startsPerDay * 30;
  const changes = (users * changesPerYear) / 12;
  const codes = (users * codesPerYear) / 12;
  const messages = users * messagesPerMonth;
  return {
    monthly: {
      checkAppVersion: starts,
      readMobileSettings: starts,
      issueTokens: starts,
      listAgreements: starts,
      listMessages: starts,
      readConsentState: starts,
      agree: changes / 2,
      revokeConsent: changes / 2,
      markMessageRead: messages,
      // A code is looked at, redeemed, and what it unlocked is read.
      validateAccessCode: codes,
      redeemAccessCode: codes,
      listEntitlements: codes,
      registerDevice: users * monthlyShare * devicesPerUser,
      joinSiteByCode: patients / 12,
      leaveSite: patients / 24,
      listOwnSites: patients * monthlyShare,
      listAccessLog: patients * monthlyShare,
      readPatient: patients * traffic.looksPerMonth,
      listPatientResponses: patients * traffic.looksPerMonth,
      listPatients: (patients * traffic.looksPerMonth) / 10,
      // Whoever opens the app on a day writes the night down, and looks at the window.
      putSleepEntry: users * dailyShare * 30,
      readSleepWindow: users * dailyShare * 30,
      listDueBundles: starts,
      putQuestionnaireResponse: 6 * responses,
      completeQuestionnaireResponse: responses,
      listQuestionnaireResponses: responses,
      // One patient in twenty asks the support in a month, and looks for the answer.
      openTicket: (patients * monthlyShare) / 20,
      listOwnTickets: (patients * monthlyShare) / 5,
    },
    // A new message and its first reading are pushed to each device.
    pushesMonthly: 2 * messages * devicesPerUser,
    activeUsers: users * monthlyShare,
  };
}

export function perSecond(monthly: number, peak: number): number {
  return (monthly / monthSeconds) * peak;
}
