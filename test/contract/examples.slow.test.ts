import { AdminCreateUserCommand } from '@aws-sdk/client-cognito-identity-provider';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pushOwner } from '../../bin/push-owner.ts';
import { seed } from '../../bin/seed.ts';
import { startStage } from '../../bin/stage.ts';
import { operations, references } from '../../functions/domains.ts';
import { deployments, roleScopes, seededUsers } from '../../functions/product.ts';
import type { Operation } from '../../lib/contract/declarations.ts';
import { isHeld } from '../../lib/contract/permissions.ts';
import type { Example } from '../../lib/contract/reference.ts';
import { rolesOf } from '../../lib/contract/roles.ts';
import { isMetered } from '../../lib/contract/route.ts';
import { codeAt, stepAt } from '../../lib/local/identity/cognito/totp.ts';
import type { RunningStage } from '../../lib/local/stage.ts';
import { administration, poolOf } from '../auth/stage.ts';
import { secureTokenIn, tokenIn } from '../mail/token.ts';

/** Every example of the document is sent to a fresh local stage, which answers as the document says. */

/** Domains, and operations, whose examples come after those of others: who asks for the deletion of the account comes last. */
const later = [
  'statistics',
  'agreements',
  'agent-board',
  // A sign-in leaves a message there.
  'auth',
  'consents',
  'receipts',
  'questionnaire-responses',
  // The ticket of a flag is acknowledged with it.
  'support',
  'acknowledgeFlag',
  // It ends after it was acknowledged.
  'endFlag',
  'listFlagsOfPatient',
  'endFlagOfPatient',
  'access-codes',
  'learning',
  'groups',
  // Whoever joins has agreed.
  'research',
  'research-exports',
  // Whoever leaves is in an export.
  'leaveStudy',
  'listResearchNotices',
  'users',
  'fhir',
  // The administrators find whoever has used the app.
  'app-users',
  'crm-patients',
  'sleep',
  'access-log',
  // An invitation puts somebody to work at the site, whose list of staff is an example, too.
  'staff',
  'audit',
  'accounts',
  'erasure',
];

const story = Object.entries(references)
  .flatMap(([domain, { examples }]) =>
    Object.entries(examples).map((asked) => ({
      asked,
      place: later.indexOf(later.includes(asked[0]) ? asked[0] : domain),
    })),
  )
  .toSorted((one, other) => one.place - other.place)
  .map(({ asked }) => asked);

let stage: RunningStage;
beforeAll(async () => {
  stage = await startStage({ seed, pushOwner, rateLimit: false });
  // As `create-user` makes somebody.
  const printed = references.accounts?.examples.chooseFirstPassword?.body as Record<string, string>;
  const { email: Username, temporaryPassword: TemporaryPassword } = printed;
  const made = { UserPoolId: poolOf(stage, 'sleepcare'), Username, TemporaryPassword };
  await administration(stage).send(new AdminCreateUserCommand(made));
});
afterAll(() => stage?.close());

/** As a seeded user who may call it, if there is one; metered routes are called from the tools' app, which has a key. */
async function tokenFor({ id, route }: Operation): Promise<string | null> {
  const [application = 'sleepcare'] = route.applications;
  const { auth } = route;
  const may = (roles: readonly string[]) => {
    if (auth === 'public') return id === 'getPhysicianAccess' && roles.includes('physician');
    return isHeld(auth, { roles: [...roles], application });
  };
  if (auth === 'public' && id !== 'getPhysicianAccess') return null;
  const user = seededUsers.find((each) => each.application === application && may(each.roles));
  const roles = user?.roles ?? rolesOf(roleScopes, application, 'dev').filter((role) => may([role]));
  const query = {
    user: user?.name ?? 'somebody',
    application,
    roles: roles.join(),
    client: isMetered(route) ? (roles.find((role) => role === 'integration') ?? 'developer-tools') : 'mobile-app',
  };
  return (await fetch(`${stage.url}/_local/token?${new URLSearchParams(query)}`)).text();
}

/** What an id of the document is on this stage, as the answers so far told. */
const ids = new Map<string, string>();

function idHere(value: unknown): unknown {
  return (typeof value === 'string' && (isId.test(value) || isStudyCode.test(value)) && ids.get(value)) || value;
}

/** A diary accepts only the last days: its documented dates are as long ago as they were when they were written. */
const shiftMs = Math.floor((Date.now() - Date.parse('2026-11-22T00:00:00Z')) / 86_400_000) * 86_400_000;

function datedHere({ domain }: Operation, example: Example): Example {
  if (domain !== 'sleep') return example;
  const shifted = (text: string) => {
    const length = text.length === 10 ? 10 : 24;
    return new Date(Date.parse(text) + shiftMs).toISOString().slice(0, length);
  };
  return JSON.parse(JSON.stringify(example), (_, value) => {
    return typeof value === 'string' && /^\d{4}-\d\d-\d\d(T.+Z)?$/.test(value) ? shifted(value) : value;
  });
}

const shownSecret = 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP';

/** A code is that of the latest mail, or of the authenticator app that was shown last. */
function codedHere({ id, domain }: Operation, example: Example): Example {
  const { body } = example;
  if (id === 'removeSecondFactor') {
    const presentCode = codeAt(ids.get(shownSecret) ?? '', stepAt(Date.now()) + 1);
    return { ...example, body: { ...Object(body), presentCode } };
  }
  if (id === 'acceptStaffInvitation') {
    const given = Object(body);
    const token = tokenIn(stage.ses?.mails().at(-1)?.text);
    return { ...example, body: { ...given, token, code: ids.get(given.code) } };
  }
  if (id === 'secureAccount') {
    const { text = '' } = stage.ses?.mails().findLast((mail) => mail.text.includes('/not-me#')) ?? {};
    return { ...example, body: { token: secureTokenIn(text) } };
  }
  if (domain !== 'accounts' || typeof body !== 'object' || body === null || !('code' in body)) return example;
  const secret = ids.get(shownSecret) ?? '';
  const code = id === 'verifySecondFactor' ? codeAt(secret, stepAt(Date.now())) : stage.ses?.mails().at(-1)?.code;
  return { ...example, body: { ...body, code } };
}

async function send(operation: Operation, example: Example) {
  const { params = {}, query, headers, body } = codedHere(operation, datedHere(operation, example));
  const { method, path, applications } = operation.route;
  const { basePath } = deployments[applications[0] ?? 'sleepcare'];
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => ids.get(params[name] ?? '') ?? params[name] ?? '');
  const given = Object.entries(query ?? {}).map(([name, value]): [string, string] => [name, String(value)]);
  const token = await tokenFor(operation);
  return fetch(`${stage.url}${basePath}${filled}?${new URLSearchParams(given)}`, {
    method,
    headers: {
      ...(token !== null && { Authorization: `Bearer ${token}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(headers as Record<string, string>),
    },
    ...(body !== undefined && { body: JSON.stringify(body, (_, value) => idHere(value)) }),
  });
}

const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isDay = /^\d{4}-\d\d-\d\d$/;
const isStudyCode = /^[A-Z2-7]{5}(-[A-Z2-7]{5}){3}$/;

/** What differs from stage to stage: of one kind in the document and here. The document shortens what is long by `…`. */
const kinds: readonly RegExp[] = [
  // Of a diary, whose dates go with the calendar.
  isDay,
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/,
  isId,
  // A week of an overview.
  /^\d{4}-W\d\d$/,
  /^[0-9a-f]{64}$/,
  // The id of a code: its hash, behind the id of the hash's key.
  /^[0-9a-f]{8}\.[\w-]{43}$/,
  // A participant of a study.
  /^[0-9a-f]{32}$/,
  /^\d{8}T\d{9}Z-[0-9a-f]{8}$/,
  /^\d{8}T\d{6}\.\d{3}Z\.[0-9a-f]{16}$/,
  // The network of who calls.
  /^(\d+\.){3}0\/24$/,
  // A site's code.
  /^[ACDEFGHJKMNPQRTUVWXY34679]{8}$/,
  isStudyCode,
  // An access code.
  /^[A-Z2-7]{16}$/,
  // An invitation's code.
  /^\d{8}$/,
  // A recovery code.
  /^[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){6}$/,
  // An authenticator app's secret.
  /^[A-Z2-7]{32}$/,
  /^arn:aws:/,
  /^https?:\/\/.+X-Amz-Signature=/,
  /^eyJ[\w.-]+…?$/,
  /^mhrt1\.[\w.-]*…?$/,
];
/** The last nights' entries fall into one week, or into two. */
const ofEachStage =
  /(requestId|kid|x|y|nextCursor|expiresIn|offsetMs|url|sizeBytes|fields\.[\w-]+|sleepEntries\.\d+\.count)$/;

/** @returns a line for each difference that is not one of stage or time. */
function differences(documented: unknown, answered: unknown, at = ''): string[] {
  if (Object.is(documented, answered)) return [];
  if (typeof documented === 'object' && typeof answered === 'object' && documented !== null && answered !== null) {
    const names = [...new Set([...Object.keys(documented), ...Object.keys(answered)])];
    return names.flatMap((name) =>
      differences(Reflect.get(documented, name), Reflect.get(answered, name), at === '' ? name : `${at}.${name}`),
    );
  }
  const isOfOneKind = kinds.some((kind) => kind.test(String(documented)) && kind.test(String(answered)));
  const isItsOwn = ofEachStage.test(at) && typeof documented === typeof answered;
  // A day is shifted as `datedHere` does it: another day of an answer must not replace it.
  if (typeof documented === 'string' && typeof answered === 'string' && !isDay.test(documented)) {
    ids.set(documented, answered);
  }
  return isOfOneKind || isItsOwn ? [] : [`${at}: ${JSON.stringify(documented)} is ${JSON.stringify(answered)}`];
}

function operationOf(id: string): Operation {
  const operation = operations.find((each) => each.id === id);
  if (!operation) throw new Error(`there is no operation ${id}`);
  return operation;
}

type StaffPage = { items: { email: string | null }[]; metadata: object };

/** Without the staff whom nobody invited: a token of the stage has made their rows. */
function withoutInvented(page: StaffPage) {
  const items = page.items.filter(({ email }) => email !== null);
  return { ...page, items, metadata: { ...page.metadata, count: items.length } };
}

test.each(story)('%s', async (id, example) => {
  const operation = operationOf(id);
  // What an example asked for is done when the next one looks.
  await stage.idle();
  const answer = await send(operation, example);
  const body = id === 'listStaff' ? withoutInvented((await answer.json()) as StaffPage) : await answer.json();
  expect([answer.status, body]).toEqual([operation.route.status ?? 200, body]);
  expect(differences(example.answer, body)).toEqual([]);
});
