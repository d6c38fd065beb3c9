/**
 * List prices in USD, us-east-1, without free allowances other than Cognito's: data with a date, from the services' own
 * pricing pages. Other regions cost up to a quarter more. Check the prices before you use a figure in a budget.
 */
export const prices = {
  asOf: '2025-11-30',
  region: 'us-east-1',
  /** https://aws.amazon.com/api-gateway/pricing/: REST, per million, by the month's number of requests. */
  gatewayPerMillion: [
    { upTo: 333e6, price: 3.5 },
    { upTo: 1000e6, price: 2.8 },
    { upTo: 20_000e6, price: 2.38 },
    { upTo: Number.POSITIVE_INFINITY, price: 1.51 },
  ],
  /** https://aws.amazon.com/waf/pricing/ */
  firewallPerMillion: 0.6,
  firewall: 5,
  firewallRule: 1,
  /** https://aws.amazon.com/kms/pricing/ and https://aws.amazon.com/secrets-manager/pricing/: a month. */
  key: 1,
  secret: 0.4,
  /** https://aws.amazon.com/lambda/pricing/: arm64. */
  invocationPerMillion: 0.2,
  gigabyteSecond: 0.0000133334,
  /** https://aws.amazon.com/dynamodb/pricing/on-demand/ */
  readPerMillion: 0.125,
  writePerMillion: 0.625,
  /** https://aws.amazon.com/cloudwatch/pricing/: ingestion; and a month of a dashboard, of a metric of an alarm, and of one's own metric. */
  logGigabyte: 0.5,
  dashboard: 3,
  alarmMetric: 0.1,
  customMetric: 0.3,
  /** https://aws.amazon.com/sqs/pricing/ and https://aws.amazon.com/sns/pricing/ (mobile push) */
  queueRequestPerMillion: 0.4,
  pushPerMillion: 0.5,
  /** https://aws.amazon.com/eventbridge/pricing/ */
  eventPerMillion: 1,
  /** https://aws.amazon.com/cognito/pricing/: Essentials, for each user who is active in a month, beyond the free ones. */
  activeUser: 0.015,
  freeActiveUsers: 10_000,
} as const;
