export {
  type Device,
  endpointKey,
  isReachable,
  mostDevices,
  type Owner,
  type Reachable,
  registered,
  tokenKeysOf,
} from './rules/device.ts';
