import { type Act, fresh, type Message, type OutsideState, text } from './state.ts';

/** SQS, SES and EventBridge: what is sent. */

function queueNamed(state: OutsideState, url: string): Message[] {
  const name = url.split('/').at(-1) ?? url;
  state.queues[name] ??= [];
  return state.queues[name];
}

export const sqs: Record<string, Act> = {
  SendMessageBatch: (state, input, now) => {
    const queue = queueNamed(state, text(input, 'QueueUrl'));
    const entries = (input.Entries ?? []) as { Id: string; MessageBody: string; DelaySeconds?: number }[];
    for (const { MessageBody, DelaySeconds = 0 } of entries) {
      queue.push({ id: fresh(state, 'message'), body: MessageBody, receives: 0, visibleAt: now + DelaySeconds * 1000 });
    }
    return { Successful: entries.map(({ Id }) => ({ Id })), Failed: [] };
  },
};

export const sesv2: Record<string, Act> = {
  SendEmail: (state, input) => {
    const { Destination, Content } = input as {
      Destination: { ToAddresses: string[] };
      Content: { Simple?: { Subject: { Data: string }; Body: { Text?: { Data: string } } } };
    };
    const subject = Content.Simple?.Subject.Data ?? '';
    const body = Content.Simple?.Body.Text?.Data ?? '';
    state.mails.push({ to: Destination.ToAddresses[0] ?? '', subject, text: body });
    return { MessageId: fresh(state, 'mail') };
  },
};

export const eventbridge: Record<string, Act> = {
  PutEvents: (state, input) => ({
    FailedEntryCount: 0,
    Entries: ((input.Entries ?? []) as { DetailType: string; Detail: string }[]).map(({ DetailType, Detail }) => {
      state.events.push({ type: DetailType, detail: JSON.parse(Detail) as Record<string, unknown> });
      return { EventId: fresh(state, 'event') };
    }),
  }),
};
