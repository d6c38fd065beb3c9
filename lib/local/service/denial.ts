/** A refusal: the IAM action and the ARN that were not allowed, who asked, and the end of AWS's sentence: why. */
export type Denial = { action: string; resource: string; principal?: string; reason?: string };

/** As AWS's services say it. */
export function sentenceOf({ action, resource, principal = 'unknown', reason = '' }: Denial): string {
  return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ${reason}`.trimEnd();
}
