interface Server {
  readonly close: () => Promise<void>;
}

/** Servers that start one after the other and stop together, including one that is still starting at that moment. */
export const createServers = () => {
  const stopping = new AbortController();
  const started: Promise<Server>[] = [];
  return {
    /** Aborted as soon as `stop` is called. */
    signal: stopping.signal,
    /** @throws after `stop` was called, and what `begin` throws */
    start: async <S extends Server>(begin: () => Promise<S>): Promise<S> => {
      stopping.signal.throwIfAborted();
      const starting = begin();
      started.push(starting);
      const server = await starting;
      stopping.signal.throwIfAborted();
      return server;
    },
    stop: async (): Promise<void> => {
      stopping.abort();
      const servers = await Promise.allSettled(started);
      await Promise.all(
        servers.map((server) => (server.status === 'fulfilled' ? server.value.close() : undefined)),
      );
    },
  };
};
