import * as z from 'zod/mini';
import type { Statement } from '../iam.ts';
import type { FunctionModel, TopicModel } from '../model.ts';
import type { Deployment } from './deployment.ts';
import { asyncRetries } from './functions.ts';
import { TemplateError } from './intrinsics.ts';
import { reference } from './physical.ts';
import { Document, statementsOf } from './principals.ts';
import { ofType, read } from './resources.ts';

const Subscription = z.object({ TopicArn: z.string(), Protocol: z.string(), Endpoint: z.string() });
const TopicPolicy = z.object({ Topics: z.array(z.string()), PolicyDocument: Document });

export function topicsOf(deployment: Deployment, functions: readonly FunctionModel[]): TopicModel[] {
  const retriesOf = asyncRetries(deployment);
  const subscriptions = ofType(deployment, 'AWS::SNS::Subscription').flatMap((resource) => {
    const { TopicArn, Protocol, Endpoint } = read(resource, Subscription);
    // This machine sends no e-mail.
    if (Protocol === 'email') return [];
    const fn = functions.find(({ arn }) => arn === Endpoint);
    if (Protocol !== 'lambda' || !fn) {
      throw new TemplateError(`${resource.path}: ${Endpoint} (${Protocol}) is no function with an operation`);
    }
    return { topicArn: TopicArn, path: resource.path, functionArn: fn.arn, retries: retriesOf(fn) };
  });
  const policies = ofType(deployment, 'AWS::SNS::TopicPolicy').map((resource) => read(resource, TopicPolicy));
  return ofType(deployment, 'AWS::SNS::Topic').map((resource) => {
    const arn = reference(resource);
    const statements = policies.flatMap(({ Topics, PolicyDocument }) =>
      Topics.includes(arn) ? statementsOf(PolicyDocument.Statement) : [],
    );
    const own = subscriptions.filter(({ topicArn }) => topicArn === arn);
    return {
      logicalId: resource.logicalId,
      arn,
      takesEventsOfSns: statements.some(letsSnsSend),
      subscriptions: own.map(({ path, functionArn, retries }) => ({ path, functionArn, retries })),
    };
  });
}

function letsSnsSend({ Effect, Principal }: Statement): boolean {
  const service = Principal && typeof Principal === 'object' && 'Service' in Principal ? Principal.Service : null;
  return Effect === 'Allow' && [service].flat().includes('sns.amazonaws.com');
}
