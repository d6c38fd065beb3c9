import type { ServerResponse } from 'node:http';
import { sendItems } from './page/answers.ts';
import type { Push } from './sns/pushes.ts';
import type { Sns } from './sns/sns.ts';

/** `GET /_local/pushes?userId=`: the published pushes, and the owners of the phones. */

type PushOwner = { readonly userId: string; readonly deviceId: string };

/** Finds the owner of an endpoint. SNS does not know it, and the stage knows no domain, so the caller supplies this. */
export type FindPushOwner = (endpointArn: string) => Promise<PushOwner | null>;

type OwnedPush = { readonly userId: string | null; readonly deviceId: string | null } & Push;

export type PushLog = {
  /** Oldest first. @param userId only the pushes to phones that were this user's at the time of the push */
  readonly list: (userId?: string | null) => Promise<OwnedPush[]>;
  readonly close: () => void;
};

export function openPushLog(sns: Pick<Sns, 'pushes' | 'onPush'>, findOwner: FindPushOwner): PushLog {
  // Looked up at the time of the push: later the phone may have another user.
  const owners = new WeakMap<Push, Promise<PushOwner | null>>();
  const stop = sns.onPush((push) => {
    owners.set(
      push,
      findOwner(push.endpointArn).catch(() => null),
    );
  });
  return {
    list: async (userId) => {
      const owned = await Promise.all(
        sns.pushes().map(async (push): Promise<OwnedPush> => {
          const owner = (await owners.get(push)) ?? null;
          return { userId: owner?.userId ?? null, deviceId: owner?.deviceId ?? null, ...push };
        }),
      );
      return userId ? owned.filter((push) => push.userId === userId) : owned;
    },
    close: stop,
  };
}

export async function sendPushes(response: ServerResponse, log: PushLog, query: URLSearchParams): Promise<void> {
  sendItems(response, await log.list(query.get('userId')));
}
