type SampleFacts = {
  readonly parameters: readonly string[];
  readonly rows: readonly (readonly (string | number | null)[])[];
};

/** For each question, its rows; values are in the order of the columns. Times have Athena's form. */
export const sampleAnswers: Readonly<Record<string, SampleFacts>> = {
  'active-consents': {
    parameters: ['2026-01-13 12:00:00.000'],
    rows: [
      ['research', 'research-1', 1],
      ['research', 'research-2', 1],
      ['terms', 'terms-1', 2],
    ],
  },
  'consent-funnel': {
    parameters: [],
    rows: [
      ['research', 5, 3, 1, 1, 3],
      ['terms', 5, 3, 0, 0, 1],
    ],
  },
  // The first night is the night after the first consent. Cem's second week ends on the day of the last entry. Dan's account has ended.
  // Fay took the deletion of her account back.
  adherence: {
    parameters: [],
    rows: [
      [1, 4, 5, 5 / 28],
      [2, 4, 3, 3 / 28],
    ],
  },
  scores: {
    parameters: [],
    rows: [
      ['isi', '1.0', 'total', 0, 2, 17, Math.sqrt(18)],
      ['isi', '1.0', 'total', 2, 1, 9, null],
    ],
  },
  looks: {
    parameters: ['2026-01-08 00:00:00.000'],
    rows: [
      [
        'dr-house',
        'site-1',
        'GET /crm/patients/{userId}',
        'care',
        3,
        2,
        0,
        '2026-01-08 10:00:00.000',
        '2026-01-09 11:00:00.500',
      ],
      [
        'agent-1',
        null,
        'GET /support/tickets/{ticketId}',
        'support',
        1,
        1,
        1,
        '2026-01-10 11:00:00.000',
        '2026-01-10 11:00:00.000',
      ],
    ],
  },
  'app-versions': {
    parameters: [],
    rows: [
      ['2026-01-05', 'android', '2.0.0', 2],
      ['2026-01-12', 'ios', '2.1.0', 1],
    ],
  },
};

/** For each question: its rows as text, or the engine's error. */
export type AthenaAnswers = Readonly<Record<string, readonly (readonly (string | null)[])[] | string>>;

/** @returns a line for each question with a wrong answer */
export function unlikeSample(answers: AthenaAnswers): string[] {
  return Object.entries(sampleAnswers).flatMap(([id, { rows }]) => {
    const found = answers[id];
    if (typeof found === 'string' || !found) return [`${id}: ${found ?? 'no answer'}`];
    const isSame =
      found.length === rows.length &&
      rows.every((row, i) => row.length === found[i]?.length && row.every((value, j) => isLike(value, found[i]?.[j])));
    return isSame ? [] : [`${id}: ${JSON.stringify(found)}`];
  });
}

/** Two engines may differ in the last digit of a standard deviation. */
function isLike(known: string | number | null, found: string | null | undefined): boolean {
  if (typeof known !== 'number') return known === found;
  return found !== null && found !== undefined && found !== '' && Math.abs(Number(found) - known) < 1e-9;
}
