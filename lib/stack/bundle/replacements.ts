/**
 * Modules of the AWS SDK, and what stands in their place. What is left out is what Lambda has no use for: it gives each
 * function its role's credentials and its region in the environment, and there is neither a home directory with
 * `~/.aws/config` nor an instance metadata service. What a replacement cannot do it refuses loudly.
 * https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html
 */
export const replacements: Readonly<Record<string, string>> = {
  // Sign-in by SSO, INI file, process, web identity, container and instance: 110 KiB that come after the environment's.
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
  // As the SDK answers where neither file exists.
  '@smithy/core/dist-es/submodules/config/shared-ini-file-loader/loadSharedConfigFiles.js': `
    export { CONFIG_PREFIX_SEPARATOR } from './constants';
    export const loadSharedConfigFiles = async () => ({ configFile: {}, credentialsFile: {} });`,
  // Asked in the defaults mode \`auto\` alone, and only outside Lambda.
  '@smithy/core/dist-es/submodules/config/config-resolver/regionConfig/getInstanceMetadataRegion.js': `
    export const getInstanceMetadataRegion = async () => undefined;`,
  // Streams of events (Transcribe, S3 Select, Kinesis). The clients that have some ask for a marshaller when they are made.
  '@smithy/core/dist-es/submodules/event-streams/index.js': `
    export const eventStreamSerdeProvider = () => undefined;
    export const resolveEventStreamSerdeConfig = (config) => config;
    export class EventStreamSerde {
      constructor() {
        throw new Error('event streams are not in the bundle: lib/stack/bundle/replacements.ts');
      }
    }`,
  // SHA-256 for a Node that was built without OpenSSL.
  '@smithy/core/dist-es/submodules/checksum/sha256/Sha256Js.js': `
    export class Sha256Js {
      constructor() {
        throw new Error('this Node has no crypto');
      }
    }`,
  // DynamoDB's client is configured for endpoint discovery, and no command of it has any.
  '@aws-sdk/middleware-endpoint-discovery/dist-es/index.js': `
    const unset = () => undefined;
    export const NODE_ENDPOINT_DISCOVERY_CONFIG_OPTIONS = { environmentVariableSelector: unset, configFileSelector: unset, default: unset };
    export const resolveEndpointDiscoveryConfig = (config) => config;`,
  // Headers of events in a stream; requests are signed without it.
  '@smithy/signature-v4/dist-es/HeaderFormatter.js': `
    export class HeaderFormatter {
      format() {
        throw new Error('event streams are not in the bundle: lib/stack/bundle/replacements.ts');
      }
    }`,
  // Of content negotiation only languages are (lib/runtime/language.ts).
  'negotiator/lib/charset.js': 'module.exports = null;',
  'negotiator/lib/encoding.js': 'module.exports = null;',
  'negotiator/lib/mediaType.js': 'module.exports = null;',
  // The authorizer fetches the pool's keys itself (lib/runtime/jwks.ts).
  'aws-jwt-verify/dist/esm/https-node.js': `
    export async function fetch(uri) {
      throw new Error('lib/runtime/jwks.ts fetches the keys');
    }`,
};
