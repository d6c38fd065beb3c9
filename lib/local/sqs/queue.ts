import { createHash, randomUUID } from 'node:crypto';
import type { QueueModel } from '../model.ts';

/** One standard queue in memory: a received message is hidden, and becomes visible again unless it is deleted. */

export type Message = {
  readonly messageId: string;
  readonly body: string;
  readonly sentAt: number;
  /** The handle of this receipt. Here an older handle of the same message no longer deletes it. */
  readonly receiptHandle: string;
  readonly receiveCount: number;
  readonly firstReceivedAt: number;
};

type Stored = { -readonly [Field in keyof Message]: Message[Field] } & { visibleAt: number };

export type LocalQueue = ReturnType<typeof openQueue>;

/**
 * @param deadLetters gets a message that would be received again after the template's maximum of receives
 * @param onSent called for each new message
 */
export function openQueue(model: QueueModel, now: () => number, deadLetters: (message: Stored) => void) {
  const stored = new Map<string, Stored>();
  const waiting = new Set<() => void>();
  const byReceipt = (receipt: string) => [...stored.values()].find(({ receiptHandle }) => receiptHandle === receipt);
  const add = (message: Stored) => {
    stored.set(message.messageId, message);
    for (const tell of [...waiting]) tell();
  };
  return {
    model,
    send(body: string, delaySeconds = 0): { messageId: string; md5: string } {
      const [messageId, sentAt] = [randomUUID(), now()];
      const visibleAt = sentAt + delaySeconds * 1000;
      add({ messageId, body, sentAt, visibleAt, receiptHandle: '', receiveCount: 0, firstReceivedAt: 0 });
      return { messageId, md5: md5(body) };
    },
    /** Adds a message that another queue gave up. The message keeps its id. */
    bury: (message: Stored) => add({ ...message, visibleAt: now(), receiptHandle: '', receiveCount: 0 }),
    receive(most: number, visibilityMs = model.visibilityMs): Message[] {
      const at = now();
      const received: Message[] = [];
      for (const message of [...stored.values()]) {
        if (received.length >= most) break;
        if (message.visibleAt > at) continue;
        if (model.redrive && message.receiveCount >= model.redrive.maxReceives) {
          stored.delete(message.messageId);
          deadLetters(message);
          continue;
        }
        message.receiveCount += 1;
        message.firstReceivedAt ||= at;
        message.visibleAt = at + visibilityMs;
        message.receiptHandle = randomUUID();
        received.push({ ...message });
      }
      return received;
    },
    delete(receipt: string): void {
      const found = byReceipt(receipt);
      if (found) stored.delete(found.messageId);
    },
    /** @returns false if the message is not in flight under this receipt */
    changeVisibility(receipt: string, milliseconds: number): boolean {
      const found = byReceipt(receipt);
      if (!found || found.visibleAt <= now()) return false;
      found.visibleAt = now() + milliseconds;
      return true;
    },
    messages: (): readonly Readonly<Stored>[] => [...stored.values()],
    /** Calls back after a message was sent. @returns a function that stops the calls */
    onSent(listener: () => void): () => void {
      waiting.add(listener);
      return () => waiting.delete(listener);
    },
    /** When the next message can be received; Infinity if there is none. */
    nextVisibleAt: (): number => Math.min(...[...stored.values()].map(({ visibleAt }) => visibleAt)),
  };
}

export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
