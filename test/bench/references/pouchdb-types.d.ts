/** What the benchmark calls of PouchDB, which brings no types. */
declare module 'pouchdb-core' {
  interface StoredDocument {
    readonly _id: string;
    readonly _rev?: string;
    readonly [field: string]: unknown;
  }

  export default class PouchDB {
    static plugin(plugin: unknown): typeof PouchDB;
    static replicate(
      source: PouchDB,
      target: PouchDB,
      options: { readonly batch_size: number },
    ): Promise<{ readonly docs_written: number }>;
    constructor(name: string, options: { readonly adapter: string });
    bulkDocs(documents: readonly StoredDocument[]): Promise<unknown>;
    allDocs(options: { readonly limit: number; readonly include_docs: true }): Promise<{
      readonly rows: readonly { readonly doc?: StoredDocument }[];
    }>;
    destroy(): Promise<void>;
  }
}

declare module 'pouchdb-adapter-leveldb' {
  const plugin: unknown;
  export default plugin;
}

declare module 'pouchdb-adapter-memory' {
  const plugin: unknown;
  export default plugin;
}

declare module 'pouchdb-replication' {
  const plugin: unknown;
  export default plugin;
}
