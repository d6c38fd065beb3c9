import type { Platform } from './arns.ts';
import type { MessageAttributes } from './message-attributes.ts';

/** The content of a Publish whose endpoint is known. */
export type Publication = {
  readonly platform: Platform;
  readonly token: string;
  readonly message: string;
  readonly structure: string | undefined;
  readonly attributes: MessageAttributes;
  /** Milliseconds since 1970. */
  readonly publishedAt: number;
  /** The platform application's ApplePlatformBundleID: the topic, unless an attribute names another one. */
  readonly bundleId?: string | undefined;
};

/** The part of a message that is for one platform. SNS puts a plain text into the platform's form. */
export type Content = { readonly text: string; readonly isText: boolean };
