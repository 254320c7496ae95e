import type { Config } from '../config/index.js';

/**
 * The settings of one of several workers: what the service may take as a whole is divided among them, so that a client
 * gets no more by the number of workers. The kernel gives each worker about its part of the connections.
 */
export function shareOf(config: Config, workers: number): Config {
  const part = (whole: number) => Math.ceil(whole / workers);
  return {
    ...config,
    mostRequests: part(config.mostRequests),
    mostConnections: part(config.mostConnections),
    mostConnectionsPerAddress: part(config.mostConnectionsPerAddress),
    anonymousPacePerSecond: part(config.anonymousPacePerSecond),
  };
}
