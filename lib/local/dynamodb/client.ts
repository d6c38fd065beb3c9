import { signedHeaders } from '../service/signature.ts';
import { isStreamAction } from './stream-calls.ts';

/**
 * Calls of DynamoDB without an SDK: loading it takes longer than the rest of an unchanged start, and for streams there is
 * no client in the version of the other clients.
 */
export type DynamoDbCall = (action: string, input: object) => Promise<Record<string, unknown>>;

/** Its name is the code. */
export class DynamoDbError extends Error {
  constructor(name: string, message: string) {
    super(message);
    this.name = name;
  }
}

export function dynamoDbClient(endpoint: string, region: string, accessKeyId: string): DynamoDbCall {
  return async (action, input) => {
    const service = isStreamAction(action) ? 'DynamoDBStreams' : 'DynamoDB';
    const body = JSON.stringify(input);
    const call = { endpoint, region, accessKeyId, target: `${service}_20120810.${action}` };
    const response = await fetch(endpoint, { method: 'POST', headers: signedHeaders(call, body), body });
    const output = (await response.json()) as Record<string, unknown>;
    if (response.ok) return output;
    const code = String(output.__type).replace(/^.*#/, '');
    const message = output.message ?? output.Message ?? `status ${response.status}`;
    throw new DynamoDbError(code, `${code}: ${message} (${action})`);
  };
}
