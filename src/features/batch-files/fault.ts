/** Why a file that a person sent is not taken. */

type PlainFault = 'empty' | 'too_large' | 'too_many_lines' | 'line_too_long' | 'waives_charge' | 'not_text'
type RowFault = 'bad_row' | 'unknown_column' | 'repeated_column' | 'missing_column'

/** at: the line, or the column. */
export type FileFault = PlainFault | { fault: RowFault; at: string }

export class FileError extends Error {
  readonly fault: FileFault
  constructor(fault: FileFault) {
    super('The file is not taken.')
    this.fault = fault
  }
}

/** A line of a batch with the line feed that ends it, and the line of the file on which it begins. */
export type FileLine = { content: Buffer; line: number }
