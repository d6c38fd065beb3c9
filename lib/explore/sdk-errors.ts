import { conflictOf, throttledBy } from '../local/dynamodb/calls.ts';
import type { Failure } from '../local/dynamodb/dynalite.ts';
import type { Asked } from './clients.ts';
import type { OutsideFailure } from './outside/state.ts';

/** The errors that the SDK's own classes make of a refusal. */

type Call = Pick<Asked, 'service' | 'action' | 'input'>;
type Classes = Record<string, new (given: object) => Error>;

export type SdkErrors = ReturnType<typeof sdkErrors>;

/** Services whose throttling has a name of its own. */
const throttlings: Readonly<Record<string, { readonly name: string; readonly status: number }>> = {
  s3: { name: 'SlowDown', status: 503 },
  lambda: { name: 'TooManyRequestsException', status: 429 },
};

/** Of S3, where it is not 400. https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
const statuses: Readonly<Record<string, number>> = {
  NotFound: 404,
  NoSuchKey: 404,
  NoSuchVersion: 404,
  PreconditionFailed: 412,
};

/** @param native Node's `require`, which loads the SDK once */
export function sdkErrors(native: (specifier: string) => unknown) {
  function made(specifier: string, name: string, message: string, status: number, more: object): unknown {
    const Class = (native(specifier) as Classes)[name];
    const $metadata = { httpStatusCode: status };
    const error = Class ? new Class({ message, $metadata, ...more }) : new Error(message);
    return Object.assign(error, { name, $fault: status >= 500 ? 'server' : 'client', $metadata, ...more });
  }

  function ofDynamo(failure: Failure): unknown {
    const { __type, message, ...more } = failure.body as { __type: string; message: string };
    const name = __type.slice(__type.indexOf('#') + 1);
    // As they come from the wire: the rows in an error are plain objects.
    const plain = JSON.parse(JSON.stringify(more)) as object;
    // The SDK's own words for an error without a message.
    return made('@aws-sdk/client-dynamodb', name, message || 'UnknownError', failure.statusCode, plain);
  }

  const onTheWire = ({ action, input }: Call) => ({ action, input, accessKeyId: '', headers: {} });

  return {
    ofDynamo,
    ofOutside: (service: string, { name, message }: OutsideFailure) =>
      made(`@aws-sdk/client-${service}`, name, message, statuses[name] ?? 400, {}),
    /** Undefined where the call meets no transaction: a read, or another service. */
    conflict(call: Call): unknown {
      const failure = call.service === 'dynamodb' ? conflictOf(onTheWire(call)) : undefined;
      return failure && ofDynamo(failure);
    },
    throttling(call: Call): unknown {
      if (call.service === 'dynamodb') return ofDynamo(throttledBy(onTheWire(call)));
      const { name, status } = throttlings[call.service] ?? { name: 'ThrottlingException', status: 400 };
      return Object.assign(new Error('Rate exceeded'), {
        name,
        $fault: status >= 500 ? 'server' : 'client',
        $metadata: { httpStatusCode: status },
      });
    },
    timeOut: (): unknown => Object.assign(new Error('no answer in time'), { name: 'TimeoutError', $metadata: {} }),
  };
}
