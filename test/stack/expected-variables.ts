import { settings } from '../../functions/settings.ts';
import { bucketVariable } from '../../lib/contract/buckets.ts';
import { withoutMetrics } from '../../lib/contract/metrics.ts';
import { procedureVariable } from '../../lib/contract/procedures.ts';
import { queueVariable } from '../../lib/contract/queues.ts';
import type { Environment } from '../../lib/contract/register.ts';
import { secretVariable } from '../../lib/contract/secrets.ts';
import { signingKeyVariable } from '../../lib/contract/signing-keys.ts';
import { listVariable } from '../../lib/contract/table-names.ts';
import { tableVariable } from '../../lib/contract/tables.ts';
import { eventBusVariable, ofKind, operatorsVariable } from '../../lib/contract/uses.ts';
import { logicalId } from '../../lib/stack/names.ts';
import type { DeclaredFunction } from './declared-functions.ts';
import { performerOf, platformPath, poolOf } from './expected-statements.ts';

const ofState = (id: string) => `<State:${id}>`;
const secret = (id: string) => `{{resolve:secretsmanager:${ofState(id)}:SecretString}}`;

/** A function's environment variables by what it declares: all of them. */
export function expectedVariables(each: DeclaredFunction, environment: Environment): Record<string, string> {
  const { uses, application, listed } = each;
  const named = each.tables.filter(([table]) => !listed.includes(table));
  const { signingGeneration, mail } = settings[environment];
  const pool = logicalId(poolOf(uses, application));
  return {
    ENVIRONMENT: environment,
    APPLICATION: application,
    ...Object.fromEntries(named.map(([table]) => [tableVariable(table), ofState(`${table.name}Table`)])),
    // Each name without the parts that are known: lib/contract/table-names.ts.
    ...(listed.length > 0 && {
      [listVariable(listed)]: listed.map(({ name }) => `!(~(${ofState(`${name}Table`)}))`).join(),
    }),
    ...Object.fromEntries(ofKind(uses, 'queue').map(({ queue }) => [queueVariable(queue), ofState(queue.name)])),
    ...Object.fromEntries(
      ofKind(uses, 'procedure').map(({ procedure }) => [
        procedureVariable(procedure),
        performerOf(procedure, application, environment),
      ]),
    ),
    ...(ofKind(uses, 'eventBus').length > 0 && { [eventBusVariable]: ofState('EventBus') }),
    ...(ofKind(uses, 'operators').length > 0 && { [operatorsVariable]: ofState('Alarms') }),
    ...(ofKind(uses, 'mail').length > 0 && { MAIL_FROM: mail.from, MAIL_TRANSPORT: ofState('MailTransport') }),
    ...(ofKind(uses, 'userPool').length > 0 && {
      USER_POOL_ID: ofState(`${pool}UserPool`),
      CLIENT_ID: ofState(`${pool}MobileAppClient`),
    }),
    ...((ofKind(uses, 'userPool').some(({ userPool }) => userPool.includes('own-account')) ||
      each.bundle === 'pre-token-generation') && { OWN_ACCOUNT_CLIENT_ID: ofState(`${pool}OwnAccountClient`) }),
    ...Object.fromEntries(ofKind(uses, 'bucket').map(({ bucket }) => [bucketVariable(bucket), ofState(bucket.name)])),
    ...Object.fromEntries(
      ofKind(uses, 'signingKey').map(({ signingKey }) => [
        signingKeyVariable(signingKey),
        ofState(`${signingKey.name}${signingGeneration}.Arn`),
      ]),
    ),
    ...Object.fromEntries(ofKind(uses, 'secret').map((use) => [secretVariable(use.secret), secret(use.secret.name)])),
    ...ofPush(each, environment),
    ...(each.isScheduled && settings[environment].alarmEmails === null && withoutMetrics),
    ...(each.hasCursors && { CURSOR_KEY: secret('CursorKey') }),
    ...(each.isAuthorizer && ofAuthorizer(each, environment)),
  };
}

function ofPush({ uses }: DeclaredFunction, environment: Environment): Record<string, string> {
  const [push] = ofKind(uses, 'pushPlatforms');
  if (!push || push.pushPlatforms === 'erase') return {};
  const { pushPlatforms, iosBundleId } = settings[environment];
  const app = 'arn:<AWS::Partition>:sns:<AWS::Region>:<AWS::AccountId>:app';
  const connected = pushPlatforms.map((each) => [each, `${app}/${platformPath(each, environment)}`]);
  return {
    PLATFORM_APPLICATIONS: JSON.stringify(Object.fromEntries(connected)),
    ...(push.pushPlatforms === 'publish' && { IOS_BUNDLE_ID: iosBundleId }),
  };
}

/** Its pool, and each client's key of the usage plans. */
function ofAuthorizer({ application }: DeclaredFunction, environment: Environment): Record<string, string> {
  const clients = ['mobile-app', ...settings[environment].integrationClients];
  const keys = clients.map((client) => [
    ofState(`${logicalId(application, client)}Client`),
    `mobile-health-${environment}-${application}-${client}`,
  ]);
  const names = clients.map((client) => [ofState(`${logicalId(application, client)}Client`), client]);
  return {
    USER_POOL_ID: ofState(`${logicalId(application)}UserPool`),
    CLIENT_NAMES: JSON.stringify(Object.fromEntries(names)),
    API_KEYS: JSON.stringify(Object.fromEntries(keys)),
  };
}
