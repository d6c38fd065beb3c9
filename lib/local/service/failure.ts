/** An error as a service of AWS answers it: the code without its namespace or suffix, and the HTTP status. */
export class AwsFailure extends Error {
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status = 400) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

/** A refusal: the IAM action and the ARN that were not allowed, the caller, and the reason that ends AWS's sentence. */
export type Denial = { action: string; resource: string; principal?: string; reason?: string };

/** The sentence of AWS's services. */
export function sentenceOf({ action, resource, principal = 'unknown', reason = '' }: Denial): string {
  return `User: ${principal} is not authorized to perform: ${action} on resource: ${resource} ${reason}`.trimEnd();
}
