/** What only `dev` can show, and why a probe of some minutes cannot show it. */
export const unprobed: readonly { readonly what: string; readonly decision: number; readonly why: string }[] = [
  { what: 'TTL’s deletions pass a ledger’s policy', decision: 2, why: 'DynamoDB deletes within days' },
  {
    what: 'a restored table has no policy of its own',
    decision: 30,
    why: 'a restore takes long; `npm run cli -- restore-drill` shows it',
  },
  {
    what: 'Cognito takes as long for an unknown user as for a known one',
    decision: 11,
    why: 'a comparison of times needs many sign-ins',
  },
  {
    what: 'under which identity SNS publishes the events of endpoints',
    decision: 17,
    why: 'it takes a platform application with Google’s or Apple’s key',
  },
  {
    what: 'whether IAM has to allow `send-mail` the recipient’s identity, too, as long as SES is in its sandbox',
    decision: 45,
    why: 'it takes two verified addresses; the first mail of `dev` shows it: sent, or `AccessDenied` in the log of `send-mail`',
  },
  {
    what: 'the web ACL of a user pool sees calls that IAM signs',
    decision: 57,
    why: 'the probe’s pool has no web ACL; the logs of the one of `dev` show each sign-in, or none',
  },
  {
    what: 'a secret is replaced while functions run',
    decision: 61,
    why: 'it takes a stage with users; `npm run cli -- replace-secret` on `dev` shows it',
  },
  { what: 'SNS passes the collapse id on', decision: 16, why: 'it takes a phone' },
  {
    what: 'a canary is rolled back by its alarm',
    decision: 29,
    why: 'it takes five minutes and the settings of staging; try it there with a first release',
  },
  {
    what: 'what a reset of the second factor leaves in a pool that demands one of everybody',
    decision: 47,
    why: 'the probe’s pool follows the stage’s, which demands none but in prod; the reset looks afterwards and says so',
  },
  {
    what: 'DynamoDB exports a ledger in spite of its policy, under the environment’s key',
    decision: 52,
    why: 'it takes point-in-time recovery and up to half an hour; `npm run cli -- export-tables` shows it',
  },
  {
    what: 'whether an app client with a secret closes the public flow of passkeys',
    decision: 60,
    why: 'no client of the stage allows that flow; the case comes with the first passkey',
  },
  { what: 'a compliance lock', decision: 30, why: 'nobody could delete what it locks' },
  {
    what: 'a nested stack whose creation is rolled back takes what is kept only once it is made',
    decision: 37,
    why: 'a nested template has to be in a bucket; a first deployment that is stopped shows it',
  },
  {
    what: 'a nested stack, and with it a user pool or a web ACL, follows a replacement as the table does',
    decision: 37,
    why: 'a nested template has to be in a bucket; `npm run deploy` compares afterwards what every stack has read',
  },
  {
    what: 'how often concurrent writes are refused',
    decision: 20,
    why: 'it needs a stage’s traffic; the alarm for server errors would show it',
  },
];
