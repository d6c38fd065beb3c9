export { eraseDevices } from './stores/erase-devices.ts';
