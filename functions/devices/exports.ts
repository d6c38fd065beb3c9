export { hadDeviceBefore } from './stores/device-rows.ts';
export { eraseDevices } from './stores/erase-devices.ts';
export { markUnreachable } from './stores/mark-unreachable.ts';
