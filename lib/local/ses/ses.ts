import type { IncomingMessage, ServerResponse } from 'node:http';
import { openBoundedList } from '../bounded-list.ts';
import type { ServiceCall } from '../credentials.ts';
import { AwsFailure, type Denial, sentenceOf } from '../service/failure.ts';
import { answerCall, type Fault, notJson } from '../service/faults.ts';
import { accessKeyOf, jsonObjectIn, readBody, sendJson } from '../service/request.ts';
import { type RunningService, startService } from '../service/service.ts';
import { isSigned } from '../service/signature.ts';
import { type Mail, readMail } from './mails.ts';

export type { Mail } from './mails.ts';

/** The local stage's SES, version 2, for mails of text and HTML only. Nothing leaves this machine. */

export type SesOptions = {
  readonly region: string;
  readonly accountId: string;
  readonly authorize?: ((call: ServiceCall) => Denial | undefined) | undefined;
  /** For tests: called for each mail that would be accepted, and returns the fault for the mail. */
  readonly intercept?: ((mail: Mail) => Fault | { readonly exception: string } | undefined) | undefined;
  /** Only the latest mails are kept, 1,000 by default. */
  readonly maximumMails?: number | undefined;
};

export type Ses = RunningService & {
  /** Oldest first. */
  readonly mails: (filter?: (mail: Mail) => boolean) => Mail[];
  /** @returns a function that ends the calls */
  readonly onMail: (listener: (mail: Mail) => void) => () => void;
};

const path = '/v2/email/outbound-emails';
const mostBytes = 1024 * 1024;
const contentType = 'application/json';

export async function startSes(options: SesOptions): Promise<Ses> {
  const mails = openBoundedList<Mail>(options.maximumMails ?? 1000);
  const listeners = new Set<(mail: Mail) => void>();
  const keep = (mail: Mail) => {
    mails.add(mail);
    for (const listener of listeners) listener(mail);
  };
  const server = await startService({
    name: 'SES',
    answer: (request, response) => answer(request, response, options, keep),
    answerError: (error, _, response) => {
      const { code, message, status } = error instanceof AwsFailure ? error : internal();
      sendJson(response, status, { message }, { 'content-type': contentType, 'x-amzn-errortype': code });
      return error instanceof AwsFailure;
    },
  });
  return {
    url: server.url,
    mails: mails.list,
    onMail: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: server.close,
  };
}

const internal = () => new AwsFailure('InternalFailure', 'Something went wrong', 500);
const throttled = () => new AwsFailure('TooManyRequestsException', 'Too many requests', 429);

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { region, accountId, authorize, intercept }: SesOptions,
  keep: (mail: Mail) => void,
): Promise<void> {
  if (request.method !== 'POST' || request.url !== path) {
    throw new AwsFailure('UnknownOperationException', `only POST ${path} runs on this machine`, 404);
  }
  const body = await readBody(request, mostBytes, () => new AwsFailure('BadRequestException', 'Too large', 413));
  if (!isSigned(request.headers, body, Date.now(), path)) {
    throw new AwsFailure('InvalidSignatureException', 'The request signature we calculated does not match', 403);
  }
  const mail = readMail(jsonObjectIn(body));
  if (typeof mail === 'string') throw new AwsFailure('BadRequestException', mail);
  // The verified identity is the address or its domain; the policies decide which.
  const denialOf = (resource: string) =>
    authorize?.({
      action: 'SendEmail',
      accessKeyId: accessKeyOf(request),
      resource: `arn:aws:ses:${region}:${accountId}:${resource}`,
      context: { 'ses:fromaddress': [mail.from] },
    });
  const ofSender = [mail.from, mail.from.split('@').at(-1) ?? ''].map((each) => denialOf(`identity/${each}`));
  const denial =
    (ofSender.every((each) => each !== undefined) ? ofSender.at(-1) : undefined) ??
    denialOf(`configuration-set/${mail.transport}`);
  if (denial) throw new AwsFailure('AccessDeniedException', sentenceOf(denial), 403);
  const fault = intercept?.(mail);
  if (typeof fault === 'object') throw new AwsFailure(fault.exception, `Not to be sent to ${mail.to}`);
  await answerCall({
    response,
    fault,
    errors: { throttle: throttled, error: internal },
    garbage: { contentType, body: notJson },
    perform: () => {
      keep(mail);
      return { MessageId: mail.messageId };
    },
    send: (output) => sendJson(response, 200, output, { 'content-type': contentType }),
  });
}
