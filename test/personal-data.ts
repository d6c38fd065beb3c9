import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * What the tests say of people, and whether the stage repeated any of it: every name, address, password, token, receipt and
 * message that a request of the whole run carried is looked for in every line that any function logged (metrics ride on
 * these lines, and nothing of ours writes to a trace) and in the body of every error. Workers note in files; the stage's process
 * compares at the end.
 */

/** Opens something of somebody's, or names them, wherever it is. */
const secrets = [
  'accessToken',
  'refreshToken',
  'idToken',
  'token',
  'receipt',
  // Of an authenticator app.
  'secret',
  'nextCursor',
  'downloadUrl',
  'invitationCode',
  'email',
  'userId',
  'sub',
  // Of whoever signed in.
  'network',
];
/** What only a request says of people: in an answer the same names also stand for roles, texts of agreements and codes. */
const stated = ['username', 'name', 'givenName', 'familyName', 'displayName', 'phone', 'phoneNumber', 'deviceId'];
const typed = [
  'password',
  'newPassword',
  'session',
  'cursor',
  'title',
  'subject',
  'currentPassword',
  'temporaryPassword',
  'presentCode',
  'recoveryCode',
  'previousRefreshToken',
  'deviceName',
  'body',
  'text',
  'code',
  'notes',
  'sourceId',
];
const inAnswers = new Set(secrets);
const inRequests = new Set([...secrets, ...stated, ...typed]);
/** Shorter ones stand in other words. */
const leastLength = 8;
/** But codes of a mail or of an authenticator app, which are looked for as words of their own: not those that anything could be. */
const isCode = (value: string) => /^(?!(\d)\1{5})\d{6,7}$/.test(value);

type Note = { readonly said?: readonly string[]; readonly error?: string };

export type Exchange = {
  readonly path: string;
  readonly token?: string | undefined;
  readonly request?: unknown;
  readonly status: number;
  readonly text: string;
};

/** Appends, so that workers that end at any time lose nothing. */
export function noteExchange(directory: string, exchange: Exchange): void {
  const note: Note = { said: saidIn(exchange), ...(exchange.status >= 400 && { error: exchange.text }) };
  appendFileSync(join(directory, `${process.pid}.jsonl`), `${JSON.stringify(note)}\n`);
}

export function saidIn({ path, token, request, status, text }: Exchange): string[] {
  const query = new URL(path, 'http://any').searchParams;
  // What an error says is what is looked into; what it hands out is no secret from who asked.
  const answer = status < 400 ? parsed(text) : null;
  const given = typeof request === 'string' ? parsed(request) : request;
  const found = [
    ...personal(Object.fromEntries(query), inRequests),
    ...personal(given, inRequests),
    ...personal(answer, inAnswers),
    ...[given, answer].flatMap((one) => personal(one, new Set(['code'])).filter(isCode)),
  ];
  if (token) found.push(token, ...personal(claimsOf(token), inRequests));
  return [...new Set(found)].filter((value) => value.length >= leastLength || isCode(value));
}

/** Step by step: a hostile request nests more deeply than a stack can. */
function personal(value: unknown, fields: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const open: unknown[] = [value];
  while (open.length > 0) {
    const next = open.pop();
    if (typeof next !== 'object' || next === null) continue;
    for (const [name, inner] of Object.entries(next)) {
      if (typeof inner !== 'string') open.push(inner);
      else if (fields.has(name)) found.push(inner);
    }
  }
  return found;
}

function claimsOf(token: string): unknown {
  return parsed(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

export type Leak = { readonly value: string; readonly where: string; readonly text: string };

type Text = { readonly where: string; readonly text: string };

/** Six or seven digits that are no part of an id, a time or a fraction, and no number of JSON's such as a metric. */
const codeWord = /(?<![\w.:+-])(?<!:\s)\d{6,7}(?![\w.:-])/g;

/** Looks for each value as it is, as JSON would write it, and as a URL would. */
export function leaksIn(values: Iterable<string>, texts: Iterable<Text>): Leak[] {
  // By how they end, so that a text is walked once and not once for each of thousands of values; all tokens begin alike.
  const byEnd = new Map<string, { form: string; value: string }[]>();
  const codes = new Set<string>();
  for (const value of values) {
    if (isCode(value)) codes.add(value);
    else
      for (const form of new Set([
        value,
        JSON.stringify(value).slice(1, -1),
        encodeURIComponent(value.toWellFormed()),
      ])) {
        const end = form.slice(-leastLength);
        const alike = byEnd.get(end);
        if (alike) alike.push({ form, value });
        else byEnd.set(end, [{ form, value }]);
      }
  }
  const leaks: Leak[] = [];
  for (const { where, text } of texts) {
    for (let end = leastLength; end <= text.length; end += 1) {
      const found = byEnd.get(text.slice(end - leastLength, end))?.find(({ form }) => text.endsWith(form, end));
      if (found) leaks.push({ value: found.value, where, text });
    }
    for (const [value] of text.matchAll(codeWord)) if (codes.has(value)) leaks.push({ value, where, text });
  }
  return leaks;
}

/** The stage's side: keeps the lines, and compares when all is over. */
export function watchPersonalData() {
  const directory = mkdtempSync(join(tmpdir(), 'mobile-health-personal-'));
  const lines: Text[] = [];
  return {
    directory,
    onLog: ({ operation }: { readonly operation: string }, _id: unknown, text: string): void => {
      lines.push({ where: `a log line of ${operation}`, text });
    },
    /** @throws an Error that names the first places */
    assertNoneTold(): string {
      const notes = readdirSync(directory).flatMap((file) =>
        readFileSync(join(directory, file), 'utf8')
          .trimEnd()
          .split('\n')
          .map((line) => JSON.parse(line) as Note),
      );
      rmSync(directory, { recursive: true });
      const values = new Set(notes.flatMap(({ said = [] }) => said));
      const errors = notes.flatMap(({ error }) => (error ? [{ where: 'the body of an error', text: error }] : []));
      const leaks = leaksIn(values, [...lines, ...errors]);
      const found = `${values.size} personal values in ${lines.length} log lines and ${errors.length} bodies of errors`;
      if (leaks.length === 0) return `${found}: none`;
      const told = leaks.slice(0, 5).map(({ value, where, text }) => `${where} has ${JSON.stringify(value)}: ${text}`);
      throw new Error(`${found}: ${leaks.length} LEAKS\n${told.join('\n')}`);
    },
  };
}
