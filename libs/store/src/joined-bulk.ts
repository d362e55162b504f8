import type { mongo } from 'mongoose';
import { bulkLimits, JoinedWrites } from './joined-writes.ts';
import type { JoinedWrite } from './joined-writes.ts';
import { lostWrites, writeOutcomes } from './lost-writes.ts';

/** Compare-and-set writes of single rows that share commands to MongoDB, as `JoinedWrites` says. */
export class JoinedBulk<Row extends mongo.Document> {
  readonly #rows: mongo.Collection<Row>;
  readonly #writes: JoinedWrites<mongo.AnyBulkWriteOperation<Row>>;

  constructor(rows: mongo.Collection<Row>) {
    this.#rows = rows;
    this.#writes = new JoinedWrites(
      (writes) => writeOutcomes(rows.bulkWrite(writes, { ordered: false }), writes.length),
      bulkLimits,
    );
  }

  /**
   * Performs a write, by itself if its bulk could not, and returns whether it lost its race. Throws as
   * `lostWrites` does.
   */
  async isLost(write: JoinedWrite<mongo.AnyBulkWriteOperation<Row>>): Promise<boolean> {
    const outcome = await this.#writes.write(write);
    if (outcome !== 'failed') return outcome === 'lost';
    return (await lostWrites(this.#rows.bulkWrite([write.write], { ordered: false }))).length > 0;
  }
}
