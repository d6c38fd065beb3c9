/** Which advisories about packages are open for longer than docs/SECURITY.md allows. Pure. */

export type Package = { readonly name: string; readonly version: string; readonly isDeployed: boolean };

/** What OSV says of an advisory, as far as it counts here. https://ossf.github.io/osv-schema/ */
export type Advisory = {
  readonly id: string;
  readonly aliases?: readonly string[];
  readonly published: string;
  readonly withdrawn?: string;
  readonly summary?: string;
  readonly database_specific?: { readonly severity?: string };
};

/** Until the day `until`, an advisory about a package may stay. */
export type Exception = { readonly advisory: string; readonly package: string; readonly until: string };

export type Risk = 'critical' | 'high' | 'medium' | 'low';

export type Finding = {
  readonly advisory: string;
  readonly package: string;
  readonly risk: Risk;
  /** The last day on which the weakness may be there. */
  readonly due: string;
  readonly state: 'breach' | 'open' | 'excepted';
  readonly summary: string;
};

/** Days from the publication on, in what is deployed. Twice as many in tools and tests. */
const days = { critical: 3, high: 14, medium: 60 } as const;

const riskOf: Readonly<Record<string, Risk>> = {
  CRITICAL: 'critical',
  HIGH: 'high',
  MODERATE: 'medium',
  MEDIUM: 'medium',
  LOW: 'low',
};

/** A package that is malicious itself (MAL-…) is exploited already. An advisory that states no risk counts as high. */
export function riskIn({ id, database_specific }: Advisory): Risk {
  if (id.startsWith('MAL-')) return 'critical';
  return riskOf[database_specific?.severity?.toUpperCase() ?? ''] ?? 'high';
}

/** A low risk goes with the next monthly update: at the latest on the last day of the month after the publication's. */
export function dueOn(advisory: Advisory, isDeployed: boolean): string {
  const day = new Date(advisory.published);
  const risk = riskIn(advisory);
  if (risk === 'low') return dayOf(new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 2, 0)));
  return dayOf(new Date(day.getTime() + days[risk] * (isDeployed ? 1 : 2) * 86_400_000));
}

/** @param today `2026-11-28` */
export function findings(
  affected: readonly { readonly of: Package; readonly advisories: readonly Advisory[] }[],
  exceptions: readonly Exception[],
  today: string,
): Finding[] {
  return affected
    .flatMap(({ of, advisories }) =>
      advisories
        .filter(({ withdrawn }) => withdrawn === undefined)
        .map((advisory): Finding => {
          const due = dueOn(advisory, of.isDeployed);
          const ids = [advisory.id, ...(advisory.aliases ?? [])];
          const isExcepted = exceptions.some(
            (each) => ids.includes(each.advisory) && each.package === of.name && each.until >= today,
          );
          const state = isExcepted ? 'excepted' : due < today ? 'breach' : 'open';
          const { id, summary = '' } = advisory;
          return { advisory: id, package: `${of.name}@${of.version}`, risk: riskIn(advisory), due, state, summary };
        }),
    )
    .toSorted((one, other) => (one.due < other.due ? -1 : 1));
}

/** The rows of the page of exceptions. One without a day as its end is none. */
export function exceptionsIn(page: string): Exception[] {
  return page.split('\n').flatMap((line) => {
    const cells = line.split('|').map((cell) => cell.trim().replaceAll('`', ''));
    const [, advisory = '', name = '', , , until = ''] = cells;
    const isRow = cells.length === 7 && /^\d{4}-\d{2}-\d{2}$/.test(until) && !Number.isNaN(Date.parse(until));
    return isRow ? [{ advisory, package: name, until }] : [];
  });
}

/** The name of a package in OSV's queries. https://github.com/package-url/purl-spec */
export function purlOf({ name, version }: Package): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function dayOf(date: Date): string {
  return date.toISOString().slice(0, 10);
}
