import type { Failure, Item, Json } from './dynalite.ts';

const DYNAMODB = 'com.amazonaws.dynamodb.v20120810#';

/** An error as DynamoDB puts it on the wire: `__type`, the message, and what else belongs to that type. */
export function failure(type: string, message: string, more: Json = {}, statusCode = 400): Failure {
  const body = { __type: type.includes('#') ? type : DYNAMODB + type, ...more, message };
  return Object.assign(new Error(message), { statusCode, body });
}

export function isFailure(error: unknown): error is Failure {
  return error instanceof Error && 'statusCode' in error && 'body' in error;
}

export function invalid(message: string): Failure {
  return failure('com.amazon.coral.validate#ValidationException', message);
}

export function conditionFailed(item?: Item): Failure {
  return failure('ConditionalCheckFailedException', 'The conditional request failed', item ? { Item: item } : {});
}

export type Reason = { Code: string; Message?: string; Item?: Item };

export function transactionCanceled(reasons: Reason[]): Failure {
  const codes = reasons.map((reason) => reason.Code).join(', ');
  const message = `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`;
  return failure('TransactionCanceledException', message, { CancellationReasons: reasons });
}

export const ongoing = 'Transaction is ongoing for the item';
export const throttled =
  'Throughput exceeds the current capacity of your table or index. DynamoDB is automatically scaling your table or ' +
  'index so please try again shortly. If exceptions persist, check if you have a hot key: ' +
  'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html';
