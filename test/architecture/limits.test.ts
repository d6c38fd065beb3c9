import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

/** Pages name limits by their numbers; the code has them as constants. Both say the same. */

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

const words: Readonly<Record<string, number>> = { three: 3, five: 5, ten: 10, twenty: 20 };

/** The part of a page under a heading. */
function section(page: string, heading: string): string {
  return read(page).split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
}

/** @returns the number that a sentence has where `#` stands, once or more, or none */
function numbersIn(text: string, sentence: string): number[] {
  const pattern = new RegExp(sentence.replaceAll('#', '([\\d,]+|[A-Za-z]+)'), 'g');
  return [...text.matchAll(pattern)].map(
    ([, found = '']) => words[found.toLowerCase()] ?? Number(found.replaceAll(',', '')),
  );
}

/** A constant of a file, also one that it keeps to itself. */
function constant(file: string, name: string): number {
  const [, digits = ''] = new RegExp(`\\bconst ${name} = ([\\d_]+);`).exec(read(file)) ?? [];
  return digits === '' ? Number.NaN : Number(digits.replaceAll('_', ''));
}

describe('a limit on a page is the one in the code', () => {
  test.each<[string, string, string, string]>([
    ['TICKET_LIMIT_REACHED', 'has # tickets', 'functions/support/rules/ticket.ts', 'mostUnsolved'],
    ['SITE_LIMIT_REACHED', 'joined # sites', 'functions/crm-sites/rules/site.ts', 'mostSites'],
    ['SITE_CODE_LOCKED', 'typed # wrong codes', 'functions/crm-sites/rules/tries.ts', 'mostTries'],
    ['TOO_MANY_STUDIES', 'part in # studies', 'functions/research/rules/enrolment.ts', 'mostStudies'],
    ['ACCESS_CODE_LOCKED', 'tried # codes', 'functions/access-codes/rules/tries.ts', 'mostWrong'],
    ['SIGN_IN_LOCKED', 'minutes, # attempts', 'functions/auth/rules/lock.ts', 'mostFailures'],
    ['TOO_MANY_GROUP_MESSAGES', '# messages to the group', 'functions/groups/rules/under-way.ts', 'mostUnderWay'],
    ['GROUP_FULL', 'has # members', 'functions/groups/rules/group.ts', 'mostMembers'],
    ['MOBILE_SETTING_LIMIT_REACHED', 'has # settings', 'functions/mobile-settings/rules/room.ts', 'mostSettings'],
    ['MOBILE_SETTING_LIMIT_REACHED', 'than # bytes', 'functions/mobile-settings/rules/room.ts', 'mostBytes'],
    ['TOO_MANY_EXPORTS', 'requested # exports', 'functions/personal-exports/rules/export.ts', 'perDay'],
    ['TOO_MANY_ERASURE_REQUESTS', 'cancelled it # times', 'functions/erasure/rules/erasure.ts', 'requestsADay'],
  ])('%s: %s', (code, sentence, file, name) => {
    const found = numbersIn(section('docs/errors.md', code), sentence);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([constant(file, name)]));
  });

  test.each<[string, string, string, string]>([
    ['docs/decisions/0045-mail.md', 'at most # mails an hour', 'functions/mail/rules/limit.ts', 'mostInAnHour'],
    ['docs/openapi.json', 'user has at most # devices', 'functions/devices/rules/device.ts', 'mostDevices'],
    ['docs/openapi.json', 'At most # exports in 24 hours', 'functions/personal-exports/rules/export.ts', 'perDay'],
    ['docs/openapi.json', 'At most # episodes', 'functions/sleep/stores/episode-rows.ts', 'mostOfDate'],
    ['docs/errors.md', 'or was tried # times', 'functions/mail/rules/code.ts', 'mostTries'],
  ])('%s: %s', (page, sentence, file, name) => {
    const found = numbersIn(read(page), sentence);
    expect(found.length).toBeGreaterThan(0);
    expect(new Set(found)).toEqual(new Set([constant(file, name)]));
  });

  test('the most items of a page of a list', () => {
    const { paths } = JSON.parse(read('docs/openapi.json')) as {
      paths: Record<string, { get?: { parameters?: { name?: string; schema?: { maximum?: number } }[] } }>;
    };
    const limits = Object.values(paths).flatMap(({ get }) =>
      (get?.parameters ?? []).filter(({ name }) => name === 'limit'),
    );
    const most = limits.flatMap(({ schema }) => schema?.maximum ?? []);
    expect(new Set(most)).toEqual(new Set([constant('lib/contract/collection.ts', 'maxLimit')]));
  });
});
