/**
 * The keys of table `Agreements`. A partition for each application holds its catalogue in one stretch, an agreement directly
 * before its versions: `agreement#<agreementId>`, then `agreement#<agreementId>#<versionId>`. The partition `*` holds the
 * names, which are unique over both applications: `agreement#<agreementId>` and `version#<versionId>`, each telling whose
 * it is; and for each application `catalogue#<application>`, whose `revision` counts the changes of its catalogue.
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
