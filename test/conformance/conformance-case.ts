import type { Sharing } from '#xml';
import type { CaseDocuments } from './case-file/case-documents.ts';
import type { IncorporateOperation } from './incorporate.ts';
import type { PublishOperation } from './publish.ts';
import type { SubscribeOperation } from './subscribe.ts';

/** Who edits; one of the two may be missing. */
interface Editor {
  readonly id: string;
  readonly when?: string;
  readonly by?: string;
}

/** What `validate` must find; the column is compared if it is given. */
export interface ExpectedViolation {
  readonly rule: string;
  readonly severity: string;
  readonly line: number;
  readonly column?: number;
}

export type Operation =
  | { readonly operation: 'read'; readonly expected?: { readonly sharing?: Sharing } }
  | {
      readonly operation: 'validate';
      readonly expected: { readonly violations: readonly ExpectedViolation[] };
    }
  | ({ readonly operation: 'create'; readonly noconflicts?: boolean; readonly deleted?: boolean } & Editor)
  | ({ readonly operation: 'update' | 'undelete' } & Editor)
  | ({ readonly operation: 'delete'; readonly removeData?: boolean } & Editor)
  | ({
      readonly operation: 'resolve';
      readonly keep: 'winner' | { readonly conflict: number };
      readonly conflicts?: readonly number[];
    } & Editor)
  | { readonly operation: 'clean-up'; readonly id: string }
  | { readonly operation: 'merge' }
  | SubscribeOperation
  | PublishOperation
  | IncorporateOperation;

/** One case as its file and the folder of its section say. README.md describes the operations. */
export type CaseOf<Operation> = Operation & {
  readonly section: string;
  readonly title: string;
  /** The rule by which the operation must be refused; then there is no `expected.xml`. */
  readonly error?: string;
  /** `<section>/<case>`. */
  readonly name: string;
  readonly documents: CaseDocuments;
  /** The case as it is written in its file. */
  readonly text: string;
};

/** A case of FeedSync. */
export type ConformanceCase = CaseOf<Operation>;
