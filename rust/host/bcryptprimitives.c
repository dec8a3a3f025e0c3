/* A system library that Wine before version 9 lacks, with the one function that Rust's standard library needs of it. */

#include <windows.h>

/* The generator of random numbers that Windows had before. */
BOOLEAN NTAPI SystemFunction036(PVOID buffer, ULONG length);

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T length) {
    return SystemFunction036(data, (ULONG)length);
}
