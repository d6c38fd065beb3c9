import { randomUUID } from 'node:crypto';
import { AwsFailure } from '../service/failure.ts';
import { relativePart } from './arns.ts';
import { decode } from './delivery.ts';
import type { Application, Endpoint } from './directory.ts';
import { applicationDisabled, endpointDisabled, invalid, missing, noEndpoint, throttled } from './failures.ts';
import { faultOf } from './faults.ts';
import { bytesOf, readMessageAttributes } from './message-attributes.ts';
import { presentationOf } from './presentation.ts';
import { type Refusal, refusalOf, unknownToken } from './refusals.ts';
import { type Action, hang, type Service } from './service.ts';
import type { Parameters } from './wire.ts';

/** Publish to one endpoint: https://docs.aws.amazon.com/sns/latest/api/API_Publish.html */

const MAX_BYTES = 256 * 1024;

export const publish: Action = async (service, parameters) => {
  const { Message, MessageStructure, Subject } = parameters;
  if (Message === undefined) throw missing('Message');
  if (Message === '') throw invalid('Empty message');
  const attributes = readMessageAttributes(parameters);
  if (Buffer.byteLength(Message) + bytesOf(attributes) > MAX_BYTES) throw invalid('Message too long');
  // A topic's subscribers get e-mail, which the local stage does not send.
  if (isTopic(service, parameters.TopicArn)) return { MessageId: randomUUID() };
  const { endpoint, application } = targetIn(service, parameters);

  const fault = faultOf(endpoint.token);
  if (fault === 'timeout') return hang;
  if (fault === 'invalid') throw noEndpoint();
  if (fault === 'throttled' && service.throttles(endpoint.token)) throw throttled();
  if (application.attributes.Enabled === 'false') throw applicationDisabled();
  const messageId = randomUUID();
  if (fault === 'disabled') disable(service, application, endpoint);
  if (!endpoint.isEnabled) {
    // "When you publish to a disabled endpoint, Amazon SNS will return a EventDeliveryFailure event with the
    // FailureType of EndpointDisabled": https://docs.aws.amazon.com/sns/latest/dg/sns-fcm-endpoint-management.html
    const refused = { type: 'EndpointDisabled', message: 'Endpoint is disabled' };
    fail(service, application, endpoint, messageId, refused);
    throw endpointDisabled();
  }

  const publishedAt = service.now();
  const { token, customUserData } = endpoint;
  const { platform } = application;
  const delivery = decode({
    platform,
    token,
    message: Message,
    structure: MessageStructure,
    attributes: attributes ?? {},
    publishedAt,
    bundleId: application.attributes.ApplePlatformBundleID,
  });
  const failure = fault === 'gone' ? unknownToken(delivery) : refusalOf(delivery);
  service.keep({
    time: new Date(publishedAt).toISOString(),
    messageId,
    endpointArn: endpoint.arn,
    token,
    platform,
    customUserData,
    request: {
      TargetArn: endpoint.arn,
      Message,
      ...(MessageStructure !== undefined && { MessageStructure }),
      ...(Subject !== undefined && { Subject }),
      ...(attributes && { MessageAttributes: attributes }),
    },
    delivery,
    presentation: presentationOf(delivery),
    failure,
  });
  if (failure) {
    fail(service, application, endpoint, messageId, failure);
    // "Amazon SNS will disable your platform endpoint when a delivery fails with this exception."
    if (failure.type === 'InvalidPlatformToken') disable(service, application, endpoint);
  }
  return { MessageId: messageId };
};

function isTopic({ account: { region, accountId } }: Service, arn: string | undefined): boolean {
  return new RegExp(`^arn:[\\w-]+:sns:${region}:${accountId}:[\\w-]+$`).test(arn ?? '');
}

function targetIn({ directory }: Service, { TargetArn, TopicArn, PhoneNumber }: Parameters) {
  if (PhoneNumber !== undefined) throw invalid('PhoneNumber', 'the local stage sends no SMS');
  const [name, arn] = TopicArn === undefined ? (['TargetArn', TargetArn] as const) : (['TopicArn', TopicArn] as const);
  if (arn === undefined) throw invalid('TopicArn or TargetArn', 'no value for required parameter');
  const relative = relativePart(name, arn);
  if (name === 'TopicArn' || !relative.startsWith('endpoint/')) {
    const message = 'Topic does not exist: an endpoint is the TargetArn of a Publish';
    throw new AwsFailure('NotFound', message, 404);
  }
  const endpoint = directory.endpoints.get(arn);
  const application = endpoint && directory.applications.get(endpoint.applicationArn);
  if (!endpoint || !application) throw noEndpoint();
  return { endpoint, application };
}

function disable(service: Service, application: Application, endpoint: Endpoint): void {
  if (!endpoint.isEnabled) return;
  endpoint.isEnabled = false;
  service.emit('EndpointUpdated', application, endpoint);
  service.directory.save();
}

function fail(
  service: Service,
  application: Application,
  endpoint: Endpoint,
  messageId: string,
  { type, message }: Pick<Refusal, 'message'> & { type: string },
): void {
  service.emit('DeliveryFailure', application, endpoint, {
    DeliveryAttempts: 1,
    FailureMessage: message,
    FailureType: type,
    MessageId: messageId,
  });
}
