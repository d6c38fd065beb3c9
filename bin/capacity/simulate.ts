import { prices } from './prices.ts';
import { type Load, loadOf, perSecond, type Traffic } from './traffic.ts';
import { type Units, units } from './units.ts';

/** Computes the demand on each service, its cost and its limit, from the traffic, the template and the measured units. */

/** Values from the synthesized template. */
export type Deployed = {
  /** The memory of a route's function in GB. */
  readonly routeMemory: number;
  /** The requests a second that an API's stage allows. */
  readonly stageRate: number;
  /** How many senders of pushes run at once. */
  readonly senders: number;
};

/** The billed seconds of a warm invocation on Lambda. These are assumptions: nothing was measured on Lambda. */
const durations = { database: 0.015, cognito: 0.12, authorizer: 0.004, push: 0.06 } as const;

/** The log bytes of a request: the function's line, Lambda's lines and the access log's line (estimated on the local stage). */
const logBytes = 1200;

type Demand = {
  readonly name: string;
  readonly demand: number;
  readonly limit: number;
  readonly unit: string;
  /** What to do when the limit is reached. */
  readonly remedy: string;
  readonly source: string;
};

export type Simulation = {
  readonly requestsMonthly: number;
  readonly requestsPeak: number;
  readonly readPeak: number;
  readonly writePeak: number;
  readonly concurrencyPeak: number;
  /** USD a month, the highest first. */
  readonly costs: readonly { readonly name: string; readonly usd: number }[];
  /** The service that is nearest to its limit comes first. */
  readonly limits: readonly Demand[];
};

export function simulate(traffic: Traffic, deployed: Deployed): Simulation {
  const load = loadOf(traffic);
  const requests = sum(Object.values(load.monthly));
  const peak = (monthly: number) => perSecond(monthly, traffic.peak);
  const consumed = unitsOf(load);
  const { issueTokens, ...rest } = load.monthly;
  const database = sum(Object.values(rest));
  // The authorizer's answer is cached for a minute, so it runs once for each start.
  const authorized = issueTokens;
  const concurrency =
    peak(database) * durations.database +
    peak(issueTokens) * durations.cognito +
    peak(authorized) * durations.authorizer +
    Math.min(deployed.senders, peak(load.pushesMonthly) * durations.push);
  return {
    requestsMonthly: requests,
    requestsPeak: peak(requests),
    readPeak: peak(consumed.read),
    writePeak: peak(consumed.write),
    concurrencyPeak: concurrency,
    costs: costsOf(load, requests, authorized, consumed, deployed).toSorted((one, other) => other.usd - one.usd),
    limits: limitsOf(load, peak, { requests, consumed, concurrency }, deployed).toSorted(
      (one, other) => other.demand / other.limit - one.demand / one.limit,
    ),
  };
}

function unitsOf({ monthly, pushesMonthly }: Load): Units {
  const of = (kind: keyof Units) =>
    sum(Object.entries(units).map(([name, each]) => monthly[name as keyof typeof units] * each[kind]));
  // A push claims and marks its delivery; a change of consent is counted from the stream in a transaction of two rows.
  const changes = monthly.agree + monthly.revokeConsent;
  const messages = monthly.markMessageRead;
  return {
    requests: of('requests') + 3 * pushesMonthly + 2 * changes,
    read: of('read') + pushesMonthly + changes + messages,
    // Posting a message: the row and the board's count, in a transaction.
    write: of('write') + 2 * pushesMonthly + 4 * changes + 4 * messages,
  };
}

function costsOf(load: Load, requests: number, authorized: number, consumed: Units, { routeMemory }: Deployed) {
  const million = (count: number, price: number) => (count / 1e6) * price;
  const { issueTokens } = load.monthly;
  const changes = load.monthly.agree + load.monthly.revokeConsent;
  const seconds =
    (requests - issueTokens) * durations.database * routeMemory +
    issueTokens * durations.cognito * routeMemory +
    (authorized * durations.authorizer + load.pushesMonthly * durations.push) * 0.5;
  return [
    { name: 'API Gateway', usd: tiered(requests) },
    { name: 'WAF', usd: million(requests, prices.firewallPerMillion) },
    {
      name: 'Lambda',
      usd:
        million(requests + authorized + load.pushesMonthly, prices.invocationPerMillion) +
        seconds * prices.gigabyteSecond,
    },
    {
      name: 'DynamoDB',
      usd: million(consumed.read, prices.readPerMillion) + million(consumed.write, prices.writePerMillion),
    },
    { name: 'CloudWatch Logs', usd: ((requests * logBytes) / 1e9) * prices.logGigabyte },
    // Each message is sent, received and deleted, mostly one by one.
    { name: 'SQS', usd: million(3 * load.pushesMonthly, prices.queueRequestPerMillion) },
    { name: 'SNS', usd: million(load.pushesMonthly, prices.pushPerMillion) },
    { name: 'EventBridge', usd: million(changes, prices.eventPerMillion) },
    { name: 'Cognito', usd: Math.max(0, load.activeUsers - prices.freeActiveUsers) * prices.activeUser },
  ];
}

function tiered(requests: number): number {
  let [from, usd] = [0, 0];
  for (const { upTo, price } of prices.gatewayPerMillion) {
    usd += (Math.max(0, Math.min(requests, upTo) - from) / 1e6) * price;
    from = upTo;
  }
  return usd;
}

type Sums = { requests: number; consumed: Units; concurrency: number };

/** The default limits of an account. */
function limitsOf(
  load: Load,
  peak: (monthly: number) => number,
  { requests, consumed, concurrency }: Sums,
  { stageRate, senders }: Deployed,
): Demand[] {
  const { monthly, pushesMonthly } = load;
  const quota = 'https://docs.aws.amazon.com/general/latest/gr/aws-service-information.html';
  return [
    {
      name: "the sleep-care API's stage throttle",
      demand: peak(requests),
      limit: stageRate,
      unit: 'requests/s',
      remedy: 'raise `stageThrottle` in functions/settings.ts; it is our own limit, below the account’s on purpose',
      source: 'the template',
    },
    {
      name: "API Gateway's rate of the account",
      demand: peak(requests),
      limit: 10_000,
      unit: 'requests/s',
      remedy: 'ask for a higher quota, then spread the APIs over accounts or regions',
      source: 'https://docs.aws.amazon.com/apigateway/latest/developerguide/limits.html',
    },
    {
      name: "Lambda's concurrency of the account",
      demand: concurrency,
      limit: 1000,
      unit: 'environments',
      remedy: 'ask for a higher quota, which is granted readily; the consent functions can have some reserved',
      source: 'https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html',
    },
    {
      name: "Cognito's token renewals",
      demand: peak(monthly.issueTokens),
      limit: 120,
      unit: 'requests/s',
      remedy:
        'buy more of the UserAuthentication and UserToken quotas, or let access tokens live longer than 15 minutes',
      source: 'https://docs.aws.amazon.com/cognito/latest/developerguide/quotas.html',
    },
    {
      name: 'the catalogue’s partition, which every consent and every state reads consistently',
      demand: peak(monthly.agree + monthly.revokeConsent + monthly.readConsentState) * 2,
      limit: 3000,
      unit: 'read units/s',
      remedy:
        'let `…/state` read the kept catalogue (5 s old at most); consents without these reads never come near the limit',
      source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html',
    },
    {
      name: 'DynamoDB reads, if all were of one table',
      demand: peak(consumed.read),
      limit: 40_000,
      unit: 'read units/s',
      remedy: 'ask for a higher table quota; keys are spread by user, so that nothing else is in the way',
      source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
    },
    {
      name: 'DynamoDB writes, if all were of one table',
      demand: peak(consumed.write),
      limit: 40_000,
      unit: 'write units/s',
      remedy: 'ask for a higher table quota, and warm the table before a launch',
      source: 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ServiceQuotas.html',
    },
    {
      name: 'the senders of pushes, ten messages each at a time',
      demand: peak(pushesMonthly),
      limit: (senders * 10) / (durations.push * 10),
      unit: 'pushes/s',
      remedy: 'raise `concurrency` of sendPush; until then pushes wait in the queue, and none is lost',
      source: 'the template',
    },
    {
      name: "SNS's Publish of the account, in a region with the lower quota",
      demand: peak(pushesMonthly),
      limit: 300,
      unit: 'pushes/s',
      remedy: 'ask for a higher quota; larger regions have 1,500 to 30,000',
      source: `https://docs.aws.amazon.com/general/latest/gr/sns.html (${quota})`,
    },
  ];
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
