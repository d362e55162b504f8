/** What is known of the installation as a whole: of all services that share one store. */
export interface InstallationStore {
  /**
   * Returns the installation's identifier, and makes it the given one if there is none. Whoever asks, also at
   * the same time, gets the same.
   */
  identifier(candidate: string): Promise<string>;
  /** Gives the installation another identifier. */
  renew(identifier: string): Promise<void>;
}
