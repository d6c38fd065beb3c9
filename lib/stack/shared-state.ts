import { CfnParameter as StoredParameter } from 'aws-cdk-lib/aws-ssm';
import { Aws, CfnParameter, type CfnResource, type Stack } from 'aws-cdk-lib/core';
import type { Bucket } from '../contract/buckets.ts';
import type { Queue } from '../contract/queues.ts';
import type { Application } from '../contract/register.ts';
import type { Secret } from '../contract/secrets.ts';
import type { Settings } from '../contract/settings.ts';
import type { SigningKey } from '../contract/signing-keys.ts';
import type { Table } from '../contract/tables.ts';
import type { Topic } from '../contract/topics.ts';
import type { Watch } from './alarm.ts';
import { arn } from './policy.ts';
import { settingsOf } from './product-app.ts';
import type { StateStack } from './state-stack.ts';

/** The parts of a resource that another stack can read. */
export type Shared = { readonly ref: string; readonly attrArn: string };

/** The parts of a user pool that the other stacks can read. */
export type SharedIdentity = {
  readonly pool: Shared;
  readonly clients: ReadonlyMap<string, Pick<Shared, 'ref'>>;
  readonly ownAccountClient: Pick<Shared, 'ref'>;
};

/**
 * The State stack as another stack sees it, by parameters of Parameter Store. CloudFormation reads them at each deploy of a
 * stack that has them, so the stack follows a replaced table, pool or web ACL. The CDK never skips such a stack. A nested
 * stack gets its values from its parent; the CDK does that.
 * https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-supplied-parameter-types.html
 */
export class SharedState {
  private readonly stack: Stack;
  private readonly state: StateStack;

  /** @param stack the stack that reads; not a nested one */
  constructor(stack: Stack, state: StateStack) {
    this.stack = stack;
    this.state = state;
  }

  /** The environment, and the topic of its alarms. */
  get watch(): Watch {
    return { ...this.state.watch, topicArn: this.share(this.state.alarms).ref };
  }

  get settings(): Settings {
    return settingsOf(this.stack, this.state.watch.environment);
  }

  /** The tables of the environment, as they are declared. */
  get tables(): readonly Table[] {
    return this.state.declared;
  }

  get key(): Shared {
    return this.share(this.state.key);
  }

  get expiryRole(): Shared {
    return this.share(this.state.expiryRole);
  }

  get eventBus(): Shared {
    return this.share(this.state.eventBus);
  }

  get mailTransport(): Pick<Shared, 'ref'> {
    return this.share(this.state.mailTransport);
  }

  get failures(): Shared {
    return this.share(this.state.failures);
  }

  get cursorKey(): Shared {
    return this.share(this.state.cursorKey);
  }

  get webAcl(): Shared {
    return this.share(this.state.webAcl);
  }

  identity(application: Application): SharedIdentity {
    const { pool, clients, ownAccountClient } = this.state.identities[application];
    return {
      pool: this.share(pool),
      clients: new Map([...clients].map(([name, client]) => [name, this.share(client)])),
      ownAccountClient: this.share(ownAccountClient),
    };
  }

  /** @throws an Error where a route uses what its environment does not have. */
  table(table: Table): { readonly name: string; readonly arn: string } {
    const name = this.share(this.state.table(table)).ref;
    // The ARN is composed from the name, so a table needs one parameter instead of two.
    return { name, arn: arn('dynamodb', `table/${name}`) };
  }

  /** A stream's ARN cannot be composed: it ends in the time at which the stream was opened. */
  streamArn(table: Table): string {
    return this.attribute(this.state.table(table), 'StreamArn');
  }

  topic(topic: Topic): Shared {
    return this.share(this.state.topic(topic));
  }

  /** The current key, and the earlier ones. */
  signingKey(key: SigningKey): { readonly current: Shared; readonly earlier: readonly Shared[] } {
    const { current, earlier } = this.state.signingKey(key);
    return { current: this.share(current), earlier: earlier.map((each) => this.share(each)) };
  }

  bucket(bucket: Bucket): Shared {
    const { ref } = this.share(this.state.bucket(bucket));
    // Composed like a table's, so a bucket needs one parameter, too.
    return { ref, attrArn: `arn:${Aws.PARTITION}:s3:::${ref}` };
  }

  secret(secret: Secret): Shared {
    return this.share(this.state.secret(secret));
  }

  queue(queue: Queue): Shared {
    return this.share(this.state.queue(queue));
  }

  /** The resources on the dashboard, by name. */
  watched() {
    const { tables, queues } = this.state.watched();
    const name = (of: CfnResource) => this.attribute(of, 'QueueName');
    return {
      tables: tables.map(([id, table]) => [id, this.share(table).ref] as const),
      queues: queues.map(([id, { queue }]) => [id, name(queue)] as const),
      deadLetters: queues.map(([id, { dead }]) => [id, name(dead)] as const),
    };
  }

  /** A value is written to Parameter Store only when another stack reads it. */
  private share(of: CfnResource): Shared {
    const reference = () => this.value(idOf(of), of.ref);
    const attribute = () => this.attribute(of, 'Arn');
    return {
      get ref() {
        return reference();
      },
      get attrArn() {
        return attribute();
      },
    };
  }

  private attribute(of: CfnResource, attribute: string): string {
    return this.value(`${idOf(of)}${attribute}`, of.getAtt(attribute).toString());
  }

  private value(id: string, value: string): string {
    const name = `/mobile-health/${this.state.watch.environment}/${id}`;
    // The ids are different from the resource's own logical id, which is used in this stack.
    const written = `${id}Shared`;
    if (!this.state.node.tryFindChild(written))
      new StoredParameter(this.state, written, { type: 'String', name, value });
    const read = this.stack.node.tryFindChild(`State${id}`);
    const parameter =
      read instanceof CfnParameter
        ? read
        : new CfnParameter(this.stack, `State${id}`, { type: 'AWS::SSM::Parameter::Value<String>', default: name });
    return parameter.valueAsString;
  }
}

/** These resources are direct children of the stack, so the last part of the path is the logical id. */
function idOf({ node }: CfnResource): string {
  return node.id;
}
