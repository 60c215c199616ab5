// Package checkpoint writes and reads the state of a training run. A process that is
// killed at any time loses at most the updates since the last checkpoint, and a
// damaged file or one of another run is never accepted.
//
// # The file
//
// A checkpoint is a safetensors file (https://github.com/huggingface/safetensors), a
// format that other tools can read:
//
//	8 bytes      little-endian length N of the header
//	N bytes      JSON object: "__metadata__" (strings), then one member per
//	             tensor {"dtype":..,"shape":[..],"data_offsets":[begin,end]}
//	the rest     the data, row-major and little-endian, without gaps
//
// The bytes are a function of the content alone. Metadata is sorted by key. Tensors
// are sorted by decreasing element size, then bytewise by name, as in the reference
// writer, so every element is aligned to its size when the file is mapped into memory.
// The header is padded with spaces to a multiple of 8 bytes. Dtypes are F32, F64, I32,
// I64, U32 and U64.
//
// # The checksum
//
// The metadata entry "sha256" holds 64 lower-case hexadecimal digits: the SHA-256 of
// the whole file with these 64 digits replaced by '0'. It covers the header and the
// data, so it detects every flipped bit.
//
// # Strictness
//
// [Read] rejects wrong lengths, offsets that overlap, leave gaps or are out of order,
// duplicate names and keys, unknown dtypes and fields, non-finite floats, trailing
// bytes, and a wrong or missing checksum. Each error is a [FormatError], which names
// the file, the byte offset, what is there and what is required. Read allocates no
// more memory than the size of the file justifies. Both Read and Write reject a float
// tensor that holds NaN or an infinity, because a run that reached one has already
// failed. A number that may be infinite, such as the best loss before the first
// validation, belongs in the metadata.
//
// [Import] reads files of other programs. It is as strict, but they need no checksum, their tensors may be listed in any
// order, and they may hold the short types F16 and BF16.
//
// # Writing
//
// [Write] validates the content, writes it to a temporary file in the same folder,
// syncs that file, renames it over the old one and syncs the folder. A reader sees the
// old file or the new one, never a mixture. The writer holds a lock on its temporary
// file; the next writer in that folder removes temporary files that are not locked or,
// on systems without flock, that are older than an hour.
//
// A state belongs to one run at a time. [Acquire] locks it with a lock file beside
// it, which names the owner. The lock ends with the process, so the lock file of a
// killed process is in nobody's way. [Remove] and [Lock.Release] remove the folder
// once it is empty.
//
// # Digests
//
// [Digest] and [StateDigest] compute the digests by which the numeric contract
// compares runs (section Digests of package kernel).
//
// # Where state lives
//
// [Key] identifies a run. [Key.Path] returns its file below the state folder, which is
// PUSHDOWN_STATE or else the folder pushdown in the user's cache folder.
package checkpoint
