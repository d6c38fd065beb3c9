/**
 * Modules of the AWS SDK, and what stands in their place. What is left out is what Lambda has no use for: it gives each
 * function its role's credentials and its region in the environment, and there is neither a home directory with
 * `~/.aws/config` nor an instance metadata service. What a replacement cannot do it refuses loudly.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 *
 * Each saves CPU in a cold start for certain. Beside it stands how many milliseconds of the 82 of `list-agreements`, with the
 * 95 % interval of 60 interleaved runs (`npm run bench -- --only replacements`, 2026-11-22).
 */
export const replacements: Readonly<Record<string, string>> = {
  // Sign-in by SSO, INI file, process, web identity, container and instance: 110 KiB that come after the environment's.
  // 16.7 ms (15.8 to 17.5).
  '@aws-sdk/credential-provider-node/dist-es/defaultProvider.js': `
    import { fromEnv } from '@aws-sdk/credential-provider-env';
    import { CredentialsProviderError, memoize } from '@smithy/core/config';
    const soonMs = 300_000;
    const untilExpiry = ({ expiration }) => expiration.getTime() - Date.now();
    export const credentialsWillNeedRefresh = (credentials) => credentials?.expiration !== undefined;
    export const credentialsTreatedAsExpired = (credentials) =>
      credentialsWillNeedRefresh(credentials) && untilExpiry(credentials) < soonMs;
    export function defaultProvider(init = {}) {
      const read = fromEnv(init);
      const readOrRefuse = () => read().catch(() => {
        throw new CredentialsProviderError('Could not load credentials from any providers', { tryNextLink: false });
      });
      return memoize(readOrRefuse, credentialsTreatedAsExpired, credentialsWillNeedRefresh);
    }`,
  // The same order without the four errors, and their stacks, of each setting that nobody set.
  // 2.5 ms (0.9 to 3.4).
  '@smithy/core/dist-es/submodules/config/node-config-provider/configLoader.js': `
    import { memoize } from '../property-provider/memoize';
    const attempt = (select) => {
      try {
        return select();
      } catch {
        return undefined;
      }
    };
    export const loadConfig = ({ environmentVariableSelector, configFileSelector, default: otherwise }, { signingName, logger } = {}) =>
      memoize(async () => {
        const set = attempt(() => environmentVariableSelector(process.env, { signingName, logger }));
        const found = set === undefined ? attempt(() => configFileSelector({}, {})) : set;
        if (found !== undefined) return found;
        return typeof otherwise === 'function' ? otherwise() : otherwise;
      });`,
  // No client of ours has a logger, and for the one that writes nothing the SDK goes through all that is sent and received.
  // 2.9 ms (0.8 to 4.1).
  '@aws-sdk/core/dist-es/submodules/client/middleware-logger/loggerMiddleware.js': `
    import { NoOpLogger } from '@smithy/core/client';
    export const loggerMiddleware = undefined, loggerMiddlewareOptions = undefined;
    export const getLoggerPlugin = ({ logger }) => ({
      applyToStack: () => {
        if (!(logger instanceof NoOpLogger)) throw new Error('no logger is in the bundle: lib/bundle/replacements.ts');
      },
    });`,
  // What is hashed in one piece is hashed by one call: a request is signed with two of them, half of what signing costs.
  // 2.8 ms (1.2 to 4.0).
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Node.js': `
    import { createHash, createHmac, hash } from 'node:crypto';
    const bytes = ({ buffer, byteOffset, byteLength }) => new Uint8Array(buffer, byteOffset, byteLength);
    export class Sha256Node {
      digestLength = 32;
      constructor(secret) {
        this.secret = typeof secret === 'object' && !ArrayBuffer.isView(secret) ? Buffer.from(secret) : secret;
        this.reset();
      }
      reset() {
        this.finished = false;
        this.only = undefined;
        this.hash = this.secret ? createHmac('sha256', this.secret) : undefined;
      }
      update(data) {
        if (this.finished) throw new Error('Attempted to update an already finished hash.');
        if (!this.hash && this.only === undefined) this.only = data;
        else {
          this.hash ??= createHash('sha256').update(this.only);
          this.hash.update(data);
        }
      }
      async digest() {
        if (!this.hash) return bytes(hash('sha256', this.only ?? '', 'buffer'));
        this.finished = Boolean(this.secret);
        return bytes(this.secret ? this.hash.digest() : this.hash.copy().digest());
      }
    }`,
  // Asked only in the defaults mode `auto`, and only outside Lambda.
  // 1.1 ms (0.5 to 2.6).
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js': `
    export const getInstanceMetadataRegion = async () => undefined;`,
  // Streams of events (Transcribe, S3 Select, Kinesis). The clients that have some ask for a marshaller when they are made.
  // 5.5 ms (4.3 to 6.6).
  '@smithy/core/dist-es/submodules/event-streams/index.js': `
    export const eventStreamSerdeProvider = () => undefined;
    export const resolveEventStreamSerdeConfig = (config) => config;
    export class EventStreamSerde {
      constructor() {
        throw new Error('event streams are not in the bundle: lib/bundle/replacements.ts');
      }
    }`,
  // Asked of every answer. To read the global `ReadableStream` is to load Web streams.
  // 1.8 ms (0.2 to 3.0).
  '@smithy/core/dist-es/submodules/serde/util-stream/stream-type-check.js': `
    const isOf = (value, type, method) =>
      value?.constructor?.name === type || (typeof value?.[method] === 'function' && value instanceof globalThis[type]);
    export const isReadableStream = (stream) => isOf(stream, 'ReadableStream', 'getReader');
    export const isBlob = (blob) => isOf(blob, 'Blob', 'arrayBuffer');`,
  // DynamoDB's client is configured for endpoint discovery, and no command of it has any.
  // 0.6 ms (0.2 to 1.1), in 200 runs.
  '@aws-sdk/middleware-endpoint-discovery/dist-es/index.js': `
    const unset = () => undefined;
    export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = { environmentVariableSelector: unset, configFileSelector: unset, default: unset };
    export const resolveEndpointDiscoveryConfig = (config) => config;`,
};
