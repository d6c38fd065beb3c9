/**
 * The environment variable that a function reads to find something its domain declares: `ConsentRecords` and `TABLE` →
 * `CONSENT_RECORDS_TABLE`.
 */
export function variableOf({ name }: { readonly name: string }, suffix: string): string {
  return `${name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toUpperCase()}_${suffix}`;
}
