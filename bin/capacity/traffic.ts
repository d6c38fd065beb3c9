import type { MeasuredOperation } from './units.ts';

/** How users use the service, from the command line. The rest is computed from it. */
export type Traffic = {
  /** Registered users. */
  readonly users: number;
  /** The shares of registered users who open the app on a day, and in a month. */
  readonly dailyShare: number;
  readonly monthlyShare: number;
  /** For an active user, on a day. */
  readonly startsPerDay: number;
  readonly messagesPerMonth: number;
  /** For an active user; each is saved as a draft six times. */
  readonly responsesPerMonth: number;
  /** Consents and revocations, half of each. */
  readonly changesPerYear: number;
  readonly codesPerYear: number;
  readonly devicesPerUser: number;
  /** The share of users who belong to a site. */
  readonly careShare: number;
  /** For each of these users, by the staff of the site. */
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
 * At each start the app checks its version, reads its settings, renews its access token (valid for 15 minutes), and reads agreements,
 * messages and due questionnaires. For each start, a service asks once for the state of a consent. A user joins a site once in a year
 * or two. Once a month such a user reads their sites and their access log. Staff read a list for every ten looks at a patient.
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
      // The app checks a code, redeems it, and reads what it unlocked.
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
      // A user who opens the app on a day writes down the night, and reads the sleep window.
      putSleepEntry: users * dailyShare * 30,
      readSleepWindow: users * dailyShare * 30,
      listDueBundles: starts,
      putQuestionnaireResponse: 6 * responses,
      completeQuestionnaireResponse: responses,
      listQuestionnaireResponses: responses,
      // The app shows the plot after each response.
      listQuestionnaireScores: responses,
      // One patient in twenty asks the support each month, and reads the answer.
      openTicket: (patients * monthlyShare) / 20,
      listOwnTickets: (patients * monthlyShare) / 5,
    },
    // A new message and its first reading each cause a push to each device.
    pushesMonthly: 2 * messages * devicesPerUser,
    activeUsers: users * monthlyShare,
  };
}

export function perSecond(monthly: number, peak: number): number {
  return (monthly / monthSeconds) * peak;
}
