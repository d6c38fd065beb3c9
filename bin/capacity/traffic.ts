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
  /** Consents and revocations, half of each. */
  readonly changesPerYear: number;
  readonly devicesPerUser: number;
  /** How much busier the busiest hour is than the average one. */
  readonly peak: number;
};

export const usualTraffic: Traffic = {
  users: 100_000,
  dailyShare: 0.3,
  monthlyShare: 0.7,
  startsPerDay: 3,
  messagesPerMonth: 4,
  changesPerYear: 3,
  devicesPerUser: 1.2,
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
 * At a start the app checks its version, renews its access token (which lives 15 minutes), and reads agreements and
 * messages. A service asks for the state of a consent once for every start.
 */
export function loadOf(traffic: Traffic): Load {
  const { users, dailyShare, monthlyShare, startsPerDay, messagesPerMonth, changesPerYear, devicesPerUser } = traffic;
  const starts = users * dailyShare * startsPerDay * 30;
  const changes = (users * changesPerYear) / 12;
  const messages = users * messagesPerMonth;
  return {
    monthly: {
      checkAppVersion: starts,
      issueTokens: starts,
      listAgreements: starts,
      listMessages: starts,
      readConsentState: starts,
      agree: changes / 2,
      revokeConsent: changes / 2,
      markMessageRead: messages,
      registerDevice: users * monthlyShare * devicesPerUser,
      // Whoever opens the app on a day writes the night down, and looks at the window.
      putSleepEntry: users * dailyShare * 30,
      readSleepWindow: users * dailyShare * 30,
    },
    // A new message and its first reading are pushed to each device.
    pushesMonthly: 2 * messages * devicesPerUser,
    activeUsers: users * monthlyShare,
  };
}

export function perSecond(monthly: number, peak: number): number {
  return (monthly / monthSeconds) * peak;
}
