/**
 * The keys of table `Agreements`. Each application has a partition with its catalogue. An agreement comes directly before its
 * versions: `agreement#<agreementId>`, then `agreement#<agreementId>#<versionId>`. The partition `*` has the names, which are
 * unique over both applications. `agreement#<agreementId>` and `version#<versionId>` say which application owns the name.
 * `catalogue#<application>` counts the changes of the application's catalogue in `revision`.
 */

export const namesPartition = '*';

export function agreementKey(agreementId: string): string {
  return `agreement#${agreementId}`;
}

export function versionKey(agreementId: string, versionId: string): string {
  return `${agreementKey(agreementId)}#${versionId}`;
}

export function versionNameKey(versionId: string): string {
  return `version#${versionId}`;
}

export function revisionKey(application: string): string {
  return `catalogue#${application}`;
}
