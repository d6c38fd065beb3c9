import { table, withPart } from './markdown.ts';
import { rowsOf, testProblems } from './proofs.ts';

/**
 * Checks docs/security/asvs.md: a row for each requirement of OWASP ASVS 5.0.0, `| V1.2.3 | 1 | met | our answer | proof |`. The proof is
 * tests as docs/spec.md names them, and links to sections of pages, separated by `<br>`.
 */

export const standard = 'docs/security/asvs.md';

/** `partly` and `open` are for level 3 only. */
const statuses = ['met', 'deviates', 'operator', 'client', 'not applicable', 'partly', 'open'] as const;
type Status = (typeof statuses)[number];

/** How many requirements the standard has at each level: https://github.com/OWASP/ASVS/tree/v5.0.0 */
const requirements = { 1: 70, 2: 183, 3: 92 } as const;
type Level = keyof typeof requirements;
const levels: readonly Level[] = [1, 2, 3];

type Requirement = { readonly at: string; readonly id: string; readonly level: Level; readonly status: Status };

function requirementsIn(text: string): (Requirement & { answer: string; proof: string })[] {
  return rowsOf(text, 'V').map(({ line, cells: [id = '', level, status, answer = '', proof = ''] }) => ({
    at: `${standard}:${line}: ${id}`,
    id,
    level: Number(level) as Level,
    status: status as Status,
    answer,
    proof,
  }));
}

/** @param read returns the source of a file, or null if there is none */
export function standardProblems(text: string, read: (path: string) => string | null): string[] {
  const all = requirementsIn(text);
  const counts = levels.flatMap((level) => {
    const found = all.filter((each) => each.level === level).length;
    return found === requirements[level] ? [] : [`${standard}: ${found} of ${requirements[level]} of level ${level}`];
  });
  const disordered = all.flatMap(({ at, id }, index) => {
    const before = all[index - 1];
    return before && order(before.id) >= order(id) ? [`${at} stands behind ${before.id}`] : [];
  });
  return [...counts, ...disordered, ...all.flatMap((each) => rowProblems(each, read))];
}

const order = (id: string) => {
  return id
    .slice(1)
    .split('.')
    .reduce((sum, part) => sum * 100 + Number(part), 0);
};

function rowProblems(
  { at, level, status, answer, proof }: ReturnType<typeof requirementsIn>[number],
  read: (path: string) => string | null,
): string[] {
  const proofs = proof.split('<br>').filter((each) => each !== '');
  // test/architecture/documents.test.ts finds dead links.
  const pages = proofs.filter((each) => /^\[[^\]]+\]\([^)]+\)$/.test(each));
  const wanting: Record<Status, boolean> = {
    met: proofs.length === 0,
    operator: pages.length === 0,
    client: pages.length === 0,
    deviates: false,
    'not applicable': false,
    partly: level < 3 || !/^costs /.test(proofs[0] ?? ''),
    open: level < 3 || !/^costs /.test(proofs[0] ?? ''),
  };
  if (!statuses.includes(status)) return [`${at}: ${status} is no status`];
  const broken = proofs
    .filter((each) => !each.startsWith('costs ') && !pages.includes(each))
    .flatMap((each) => testProblems(each, read));
  return [
    ...(answer === '' ? [`${at} has no answer`] : []),
    ...(wanting[status] ? [`${at} is ${status}, which its level or its proof does not allow`] : []),
    ...broken.map((why) => `${at}: ${why}`),
  ];
}

/** The page with how many requirements have each status, by level. */
export function withCounts(page: string): string | null {
  const all = requirementsIn(page);
  const number = (level: Level, status: Status) =>
    String(all.filter((each) => each.level === level && each.status === status).length);
  const rows = levels.map((level) => [String(level), ...statuses.map((status) => number(level, status))]);
  return withPart(page, 'counts', table(['level', ...statuses], rows));
}
