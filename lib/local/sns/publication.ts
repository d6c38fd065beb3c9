import type { Platform } from './arns.ts';
import type { MessageAttributes } from './message-attributes.ts';

/** What a Publish asks for, once the endpoint is known. */
export type Publication = {
  readonly platform: Platform;
  readonly token: string;
  readonly message: string;
  readonly structure: string | undefined;
  readonly attributes: MessageAttributes;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
  /** The platform application's ApplePlatformBundleID: the topic where no attribute says another. */
  readonly bundleId?: string | undefined;
};

/** The part of a message that is for one platform. A text is put into that platform's form by SNS. */
export type Content = { readonly text: string; readonly isText: boolean };
