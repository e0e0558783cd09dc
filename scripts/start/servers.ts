interface Server {
  readonly close: () => Promise<void>;
}

/** Servers that start one after the other and stop together, those too that were still starting at the stop. */
export const createServers = () => {
  const stopping = new AbortController();
  const started: Promise<Server>[] = [];
  return {
    /** Aborted as soon as they are to stop. */
    signal: stopping.signal,
    /** @throws once they are to stop, or what `begin` throws */
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
