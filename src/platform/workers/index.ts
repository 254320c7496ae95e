export { CommandForwarding } from './command-forwarding.js';
export { Homed } from './homed.js';
export { Peers } from './peers.js';
